#include <cid/cid.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n";
    struct cid cid;
    enum cid_error error = cid_parse(&cid, text, strlen(text), NULL);

    if (error == CID_OK) {
        struct cid_view view = cid_as_view(&cid);
        printf("version %d, codec 0x%llx\n", view.version, (unsigned long long)view.codec);
        error = cid_verify(&view, "", 0, NULL); /* is this the empty block? */
    }
    printf("%s: %s\n", text, cid_error_text(error));
    cid_free(&cid, NULL);
    return error != CID_OK;
}
