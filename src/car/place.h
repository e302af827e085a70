/*
 * place.h - bytes at any place: of memory, or of a file that is read piece by piece. Nothing here
 * changes, so that threads can share it.
 */
#ifndef CID_CAR_PLACE_H
#define CID_CAR_PLACE_H

#include "base/span.h"

#include <cid/car.h>

/* A stretch of memory or of a file. */
struct cid__place {
    const uint8_t *memory; /* NULL over a file */
    struct cid_file file;
    uint64_t base; /* where the stretch starts in the file, for a file and for faults */
    uint64_t len;
};

static inline struct cid__place cid__place_memory(const void *data, size_t len)
{
    static const uint8_t nothing; /* so that memory is never NULL */
    return (struct cid__place){.memory = len != 0 ? data : &nothing, .len = len};
}

static inline struct cid__place cid__place_file(const struct cid_file *file)
{
    return (struct cid__place){.file = *file, .len = file->len};
}

/* A stretch of a stretch, which must be inside. */
static inline struct cid__place cid__place_part(const struct cid__place *place, uint64_t offset,
                                                uint64_t len)
{
    struct cid__place part = *place;

    if (part.memory)
        part.memory += offset;
    part.base += offset;
    part.len = len;
    return part;
}

/*
 * Points *out at len bytes from an offset on, which must be inside: into the memory, or into buf,
 * which they are read to. What the file's failure is, is handed on.
 */
static inline enum cid_error cid__place_bytes(const uint8_t **out, const struct cid__place *place,
                                              uint64_t offset, size_t len, uint8_t *buf)
{
    if (place->memory) {
        *out = place->memory + offset;
        return CID_OK;
    }
    *out = buf;
    return len != 0 ? place->file.read(place->file.ctx, buf, len, place->base + offset) : CID_OK;
}

#endif
