#include "car_dag.h"
#include "pages.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- --root -------------------------------------------------------------------------------- */

bool dag_roots_parse(struct cli *cli, struct dag_roots *out, const struct arguments *args)
{
    out->len = 0;
    out->cids = cli_alloc((args->many_count + 1) * sizeof *out->cids);
    for (size_t i = 0; i < args->many_count; i++) {
        const char *text = args->many[i];
        struct output *err;
        if (!cid_parse(&out->cids[out->len], text, strlen(text), NULL)) {
            out->len++;
            continue;
        }
        err = cli_message(cli);
        out_print(err, "%s: --root wants a CID, not ", cli->command);
        text_put(err, text, strlen(text));
        out_print(err, "\nTry 'cid-inspect %s --help'.\n", cli->command);
        cli_message_end(cli);
        cli_status(cli, STATUS_USAGE);
        return false;
    }
    return true;
}

void dag_roots_free(struct dag_roots *roots)
{
    for (size_t i = 0; i < roots->len; i++)
        cid_free(&roots->cids[i], NULL);
    free(roots->cids);
}

/* ---- archives read for their graph --------------------------------------------------------- */

bool dag_file_read(struct cli *cli, struct dag_file *read, const char *name,
                   const struct cid_car_options *options)
{
    enum cid_error error = car_file_open(&read->file, name, options);
    struct cid_car_block block;

    if (!error && cid_set_open(&read->names, &pages_allocator))
        error = read->file.fault.code = CID_E_NOMEM;
    if (error) {
        car_fail(cli, &read->file, NULL);
        return false;
    }
    dag_begin(&read->dag, read->names, true);
    while (!(error = cid_car_reader_next(read->file.reader, &block)))
        if ((error = dag_block(&read->dag, &block, true)))
            break;
    read->whole = error == CID_END;
    if (!read->whole) {
        car_file_failed(&read->file, error);
        car_fail(cli, &read->file, NULL);
    }
    error = dag_finish(&read->dag, read->file.reader, NULL);
    if (!error)
        return true;
    car_file_failed(&read->file, error);
    car_fail(cli, &read->file, NULL);
    return false;
}

void dag_file_free(struct dag_file *read)
{
    dag_free(&read->dag);
    cid_set_close(read->names);
    car_file_close(&read->file);
}
