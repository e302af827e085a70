#include "buffer.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

char *buffer_room(struct buffer *buffer, size_t n)
{
    if (buffer->cap - buffer->len < n) {
        size_t cap = buffer->cap < 256 ? 256 : buffer->cap;
        char *data;
        while (cap - buffer->len < n)
            cap = cap <= SIZE_MAX / 2 ? cap * 2 : SIZE_MAX;
        data = cli_alloc(cap);
        if (buffer->len != 0)
            memcpy(data, buffer->data, buffer->len);
        free(buffer->data);
        buffer->data = data;
        buffer->cap = cap;
    }
    return buffer->data + buffer->len;
}

void buffer_put(struct buffer *buffer, const char *text, size_t len)
{
    if (len == 0)
        return;
    memcpy(buffer_room(buffer, len), text, len);
    buffer->len += len;
}

void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_put(buffer, text, strlen(text));
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    memset(buffer, 0, sizeof *buffer);
}
