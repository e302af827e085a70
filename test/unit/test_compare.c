/* The hash of CIDs: SipHash-2-4 against its published values, and cid_hash64 on top of it. */
#include "support.h"

#include "cid/siphash.h"

#include <cid/cid.h>

/* The messages 00, 00 01, … under the key 00 01 … 0f, as the reference implementation lists them.
 */
static const struct {
    size_t len;
    uint64_t hash;
} published[] = {
    {0, UINT64_C(0x726fdb47dd0e0e31)},  {1, UINT64_C(0x74f839c593dc67fd)},
    {2, UINT64_C(0x0d6c8009d9a94f5a)},  {3, UINT64_C(0x85676696d7fb7e2d)},
    {4, UINT64_C(0xcf2794e0277187b7)},  {5, UINT64_C(0x18765564cd99a68d)},
    {6, UINT64_C(0xcbc9466e58fee3ce)},  {7, UINT64_C(0xab0200f58b01d137)},
    {8, UINT64_C(0x93f5f5799a932462)},  {9, UINT64_C(0x9e0082df0ba9e4b0)},
    {10, UINT64_C(0x7a5dbbc594ddb9f3)}, {11, UINT64_C(0xf4b32f46226bada7)},
    {12, UINT64_C(0x751e8fbc860ee5fb)}, {13, UINT64_C(0x14ea5627c0843d90)},
    {14, UINT64_C(0xf723ca908e7af2ee)}, {15, UINT64_C(0xa129ca6149be45e5)},
    {16, UINT64_C(0x3f2acc7f57c29bdb)}, {62, UINT64_C(0xe51b38608ef25f57)},
    {63, UINT64_C(0x958a324ceb064572)},
};

static void siphash_as_published(void **state)
{
    uint8_t message[64];
    (void)state;

    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)i;
    for (size_t i = 0; i < COUNT(published); i++) {
        const uint8_t *in = test_guard(message, published[i].len);
        assert_true(cid__siphash24(UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908), in,
                                   published[i].len) == published[i].hash);
    }
    test_guard_release();
    assert_true(cid__siphash24(UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908), NULL,
                               0) == published[0].hash);
}

#define D1 "01551220ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
#define Q0 "1220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* From another implementation of SipHash, under the key that cid.h describes. */
static const struct {
    const char *hex;
    uint64_t seed;
    uint64_t hash;
} hashes[] = {
    {"01550000", 0, UINT64_C(0x4657b58e432a942d)},
    {"01550000", UINT64_C(0x0123456789abcdef), UINT64_C(0xa335840d3b4a5a9f)},
    {D1, 0, UINT64_C(0xc9eb5d4db582a4c8)},
    {D1, UINT64_C(0x0123456789abcdef), UINT64_C(0xb236632b27052b43)},
    {Q0, 0, UINT64_C(0x5026291b841be81f)},
    {Q0, UINT64_C(0x0123456789abcdef), UINT64_C(0xc0831b381ef39606)},
};

static void hash64_is_siphash_under_the_seed(void **state)
{
    const struct cid_view undefined = {0};
    (void)state;

    for (size_t i = 0; i < COUNT(hashes); i++) {
        struct test_bytes hex = test_hex(hashes[i].hex);
        struct cid_view view;

        assert_error(cid_read_exact(&view, test_guard(hex.data, hex.len), hex.len), CID_OK);
        assert_true(cid_hash64(&view, hashes[i].seed) == hashes[i].hash);
        test_bytes_free(&hex);
    }
    assert_true(cid_hash64(&undefined, 0) == UINT64_C(0x1e924b9d737700d7));
    test_guard_release();
}

static void hash64_tells_versions_apart(void **state)
{
    struct test_bytes q0 = test_hex(Q0);
    struct test_bytes q1 = test_hex("0170" Q0);
    struct cid_view v0, v1;
    (void)state;

    assert_error(cid_read_exact(&v0, q0.data, q0.len), CID_OK);
    assert_error(cid_read_exact(&v1, q1.data, q1.len), CID_OK);
    assert_true(cid_hash64(&v0, 1) != cid_hash64(&v1, 1));
    test_bytes_free(&q0);
    test_bytes_free(&q1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siphash_as_published),
        cmocka_unit_test(hash64_is_siphash_under_the_seed),
        cmocka_unit_test(hash64_tells_versions_apart),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
