#include "naive_json.h"

static void put_escape(naive_json_sink *sink, void *ctx, char c)
{
    static const char hex[] = "0123456789abcdef";

    sink(ctx, '\\');
    switch (c) {
    case '"':
    case '\\':
        sink(ctx, c);
        return;
    case '\n':
        sink(ctx, 'n');
        return;
    case '\t':
        sink(ctx, 't');
        return;
    default:
        sink(ctx, 'u');
        sink(ctx, '0');
        sink(ctx, '0');
        sink(ctx, hex[c >> 4 & 15]);
        sink(ctx, hex[c & 15]);
    }
}

void naive_json_string(naive_json_sink *sink, void *ctx, const char *text, size_t len)
{
    sink(ctx, '"');
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < 0x20)
            put_escape(sink, ctx, text[i]);
        else
            sink(ctx, text[i]);
    }
    sink(ctx, '"');
}
