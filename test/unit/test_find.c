#include "support.h"

#include <cid/cid.h>

#define C1 "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"
#define Q0 "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"

static void finds_the_cid_and_the_rest(void **state)
{
    static const struct {
        const char *text, *cid, *rest;
    } rows[] = {
        {C1, C1, ""},
        {Q0, Q0, ""},
        {"/ipfs/" C1, C1, ""},
        {"/ipfs/" C1 "/a/b", C1, "/a/b"},
        {"/ipfs/" C1 "/", C1, "/"},
        {"/ipfs/" C1 "?x=1", C1, "?x=1"},
        {"/ipfs/" C1 "#f", C1, "#f"},
        {"/ipns/" C1, C1, ""},
        {"/ipld/" Q0 "/x", Q0, "/x"},
        {"ipfs://" C1, C1, ""},
        {"ipfs://" C1 "/x?y#z", C1, "/x?y#z"},
        {"IPFS://" C1, C1, ""},
        {"ipns://k51qzi5uqu5dl8d7s8nyl5e4ej47urwp9514obb8tbwthush2lwzc8u8tew62j",
         "k51qzi5uqu5dl8d7s8nyl5e4ej47urwp9514obb8tbwthush2lwzc8u8tew62j", ""},
        {"https://gw.example/ipfs/" C1, C1, ""},
        {"http://localhost:8080/ipfs/" Q0 "/a b", Q0, "/a b"},
        {"https://" C1 ".ipfs.gw.example/", C1, "/"},
        {"https://" C1 ".ipfs.gw.example:443/a?b", C1, "/a?b"},
        {"https://" C1 ".ipfs.gw.example", C1, ""},
        {"dweb:/ipfs/" C1 "/a", C1, "/a"},
        {"mAVUAAA", "mAVUAAA", ""},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t len = strlen(rows[i].text);
        const char *text = (const char *)test_guard(rows[i].text, len);
        struct cid_found found;
        struct cid cid, plain;
        struct cid_view a, b;

        assert_error(cid_find(&cid, &found, text, len, NULL), CID_OK);
        assert_int_equal(found.cid_len, strlen(rows[i].cid));
        assert_memory_equal(text + found.cid_at, rows[i].cid, found.cid_len);
        assert_int_equal(found.rest_len, strlen(rows[i].rest));
        assert_int_equal(found.rest_at + found.rest_len, len);
        assert_memory_equal(text + found.rest_at, rows[i].rest, found.rest_len);
        assert_error(cid_parse(&plain, rows[i].cid, strlen(rows[i].cid), NULL), CID_OK);
        a = cid_as_view(&cid);
        b = cid_as_view(&plain);
        assert_true(cid_equal(&a, &b));
        assert_error(cid_find(&cid, NULL, text, len, NULL), CID_OK);
    }
    test_guard_release();
}

static void refuses_other_paths(void **state)
{
    static const struct {
        const char *text;
        enum cid_error error;
    } rows[] = {
        {"", CID_E_TEXT_EMPTY},
        {"/", CID_E_NO_CID},
        {"/ipfs", CID_E_NO_CID},
        {"/ipfs/", CID_E_TEXT_EMPTY},
        {"/ipfs//ipfs/" C1, CID_E_TEXT_EMPTY},
        {"/ipfs/notacid", CID_E_BASE_UNKNOWN},
        {"/ipns/example.com", CID_E_BASE_UNKNOWN},
        {"/files/" C1, CID_E_NO_CID},
        {"dweb:/files/" C1, CID_E_NO_CID},
        {"junk/ipfs/" C1, CID_E_BASE_UNKNOWN},
        {"https://gw.example/x/ipfs/" C1, CID_E_NO_CID},
        {"https://gw.example/", CID_E_NO_CID},
        {"https://", CID_E_NO_CID},
        {"https://notacid.ipfs.gw.example/", CID_E_BASE_UNKNOWN},
        {" /ipfs/" C1, CID_E_BASE_UNKNOWN},
        {C1 "/a", CID_E_BASE_CHAR},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_found found = {.cid_at = 4711};
        struct cid cid;

        memset(&cid, 0xaa, sizeof cid);
        assert_error(cid_find(&cid, &found, rows[i].text, strlen(rows[i].text), NULL),
                     rows[i].error);
        assert_false(cid_is_defined(&cid));
        assert_int_equal(found.cid_at, 4711);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_cid_and_the_rest),
        cmocka_unit_test(refuses_other_paths),
    };
    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
