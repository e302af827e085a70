#include "support.h"

bool test_has_hash(uint64_t code)
{
#ifdef CID_WITH_GCRYPT
    bool gcrypt = true;
#else
    bool gcrypt = false;
#endif
#ifdef CID_WITH_SODIUM
    bool sodium = true;
#else
    bool sodium = false;
#endif

    switch (code) {
    case 0x1052: /* ripemd-128, -256 and -320: nobody has them */
    case 0x1054:
    case 0x1055:
        return false;
    case 0x13: /* sha2-512 */
        return sodium || gcrypt;
    case 0x11:   /* sha1 */
    case 0x20:   /* sha2-384 */
    case 0xd5:   /* md5 */
    case 0x1014: /* sha2-512-224 */
    case 0x1015: /* sha2-512-256 */
    case 0x1053: /* ripemd-160 */
    case 0x534d: /* sm3-256 */
        return gcrypt;
    default:
        return true;
    }
}
