#include "naive_car.h"

bool naive_car_next(struct naive_car *car, struct naive_block *out)
{
    uint64_t len = 0;
    size_t left = (size_t)(car->end - car->at);
    size_t used = naive_varint_read(&len, car->at, left);

    if (used == 0 || len > left - used)
        return false;
    out->bytes = car->at + used;
    used = naive_cid_read(&out->cid, out->bytes, (size_t)len);
    if (used == 0)
        return false;
    out->data = out->bytes + used;
    out->data_len = (size_t)len - used;
    car->at = out->data + out->data_len;
    return true;
}
