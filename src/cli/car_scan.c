#include "car_scan.h"
#include "names.h"
#include "pages.h"
#include "progress.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- bad blocks ---------------------------------------------------------------------------- */

static void put_cid_row(struct output *err, const char *label, const struct cid_view *view)
{
    char *text = cid_text(view, CID_BASE_DEFAULT);
    size_t len = text ? strlen(text) : 0;

    out_print(err, "  %s%-15s%s  ", style_on(err, STYLE_LABEL), label, style_off(err));
    out_write(err, text ? text : "", len < 256 ? len : 256);
    out_text(err, len < 256 ? "\n" : "...\n");
    free(text);
}

/* Why a block cannot be checked. */
static const char *why_not(const struct cid_view *view)
{
    enum cid_error error = cid_can_verify(view, NULL);
    struct cid_hash_info info;

    if (!cid_hash_by_code(&info, view->hash.code) && !info.cryptographic)
        return "its hash function is not cryptographic";
    if (error == CID_E_DIGEST_LENGTH)
        return view->hash.digest_len < CID_DIGEST_MIN
                   ? "its digest is under 20 bytes, too short to prove anything"
                   : "its digest is longer than the hash function makes";
    if (view->codec == CID_CODEC_FIL_COMMITMENT_UNSEALED ||
        view->codec == CID_CODEC_FIL_COMMITMENT_SEALED)
        return "a Filecoin commitment is no hash of the block";
    return error ? cid_error_text(error) : "nothing can be said";
}

static struct output *start_block(struct cli *cli, const struct scan *scan,
                                  const struct cid_car_block *block)
{
    struct output *err = cli_message(cli);

    text_put(err, scan->file.name, strlen(scan->file.name));
    out_print(err, ": block %" PRIu64 " at byte %" PRIu64 " ", block->number,
              block->section_in_file);
    return err;
}

static void tell_mismatch(struct cli *cli, const struct scan *scan,
                          const struct cid_car_block *block)
{
    struct cid_prefix prefix = cid_prefix_of(&block->cid);
    struct output *err = start_block(cli, scan, block);
    struct cid computed;
    struct cid_view view;

    out_text(err, "does not match its CID\n");
    put_cid_row(err, "expected", &block->cid);
    if (cid_prefix_sum(&computed, &prefix, block->data, block->data_len, NULL, NULL) == CID_OK) {
        view = cid_as_view(&computed);
        put_cid_row(err, "computed", &view);
        cid_free(&computed, NULL);
    }
    cli_message_end(cli);
}

static void tell_unverifiable(struct cli *cli, const struct scan *scan,
                              const struct cid_car_block *block)
{
    struct output *err = start_block(cli, scan, block);
    char name[NAME_SIZE];

    out_print(err, "cannot be checked: %s (%s, %zu bytes)\n", why_not(&block->cid),
              hash_name(name, block->cid.hash.code), block->cid.hash.digest_len);
    put_cid_row(err, "CID", &block->cid);
    cli_message_end(cli);
}

/* ---- the pass ------------------------------------------------------------------------------ */

static void worsen(struct scan *scan, enum status status)
{
    scan->status = status_worst(scan->status, status);
}

static void keep_first(struct scan *scan, const struct cid_fault *fault)
{
    if (scan->first.code == CID_OK || scan->first.code == CID_E_UNVERIFIABLE)
        scan->first = *fault;
}

static void count_verdict(struct cli *cli, struct scan *scan, const struct cid_car_block *block,
                          enum cid_error error)
{
    if (!error) {
        scan->good++;
        car_last_set(&scan->last, block);
        return;
    }
    worsen(scan, car_status(error));
    if (error == CID_E_MISMATCH || scan->first.code == CID_OK)
        keep_first(scan, cid_car_reader_fault(scan->file.reader));
    if (error == CID_E_MISMATCH) {
        scan->mismatches++;
        if (!cli->as_json)
            tell_mismatch(cli, scan, block);
    } else {
        /* Of many that cannot be checked, the first of its kind says all. */
        if (scan->unverifiable++ == 0 && !cli->as_json)
            tell_unverifiable(cli, scan, block);
    }
}

static void count_block(struct cli *cli, struct scan *scan, const struct cid_car_block *block,
                        enum cid_error error)
{
    sizes_add(&scan->blocks, block->data_len);
    sizes_add(&scan->cids, block->cid.len);
    tally_add(&scan->codecs, block->cid.codec);
    tally_add(&scan->hashes, block->cid.hash.code);
    count_verdict(cli, scan, block, error);
}

/* ---- distinct CIDs ------------------------------------------------------------------------- */

static enum cid_error batch_flush(struct scan *scan)
{
    uint64_t numbers[SCAN_BATCH];
    size_t len = scan->batch.len;

    scan->batch.len = 0;
    return cid_set_number(scan->seen, numbers, scan->batch.views, len);
}

/* The bytes are not there any more when the batch is full, so they are copied. */
static enum cid_error batch_add(struct scan *scan, const struct cid_view *cid)
{
    struct scan_batch *batch = &scan->batch;
    struct cid_view *view = &batch->views[batch->len];
    uint8_t *bytes = batch->bytes[batch->len];

    if (cid->len > SCAN_CID_MOST)
        return cid_set_add(scan->seen, NULL, cid);
    memcpy(bytes, cid->bytes, cid->len);
    *view = *cid;
    view->bytes = bytes;
    view->hash.digest = bytes + (cid->hash.digest - cid->bytes);
    return ++batch->len == SCAN_BATCH ? batch_flush(scan) : CID_OK;
}

static unsigned last_bits(const struct cid_view *cid)
{
    return cid->bytes[cid->len - 1] & 63;
}

static enum cid_error open_sets(struct scan *scan)
{
    enum cid_error error = cid_set_open(&scan->seen, &pages_allocator);
    struct cid_view root;

    if (error || !scan->only_roots)
        return error;
    error = cid_set_open(&scan->roots, NULL);
    for (size_t i = 0; !error && !cid_car_reader_root(&root, scan->file.reader, i); i++) {
        error = cid_set_add(scan->roots, NULL, &root);
        scan->root_ends |= UINT64_C(1) << last_bits(&root);
    }
    return error;
}

/* Of nearly all blocks a glance at the last byte tells that they are no roots. */
static enum cid_error see_cid(struct scan *scan, const struct cid_view *cid)
{
    if (!scan->only_roots)
        return batch_add(scan, cid);
    if (!(scan->root_ends >> last_bits(cid) & 1) || !cid_set_has(scan->roots, cid))
        return CID_OK;
    return cid_set_add(scan->seen, NULL, cid);
}

/* ---- the pass, to its end ------------------------------------------------------------------ */

struct pass {
    struct cli *cli;
    struct scan *scan;
    struct progress progress;
};

static enum cid_error see_block(void *ctx, const struct cid_car_block *block, enum cid_error error)
{
    struct pass *pass = ctx;

    if (!cli_going(pass->cli))
        return CID_E_IO;
    progress_step(&pass->progress, block->section_in_file + block->section_len);
    count_block(pass->cli, pass->scan, block, error);
    index_check_block(&pass->scan->index, &block->cid, block->section_in_payload);
    if (pass->scan->dag.on)
        return dag_block(&pass->scan->dag, block, error != CID_E_MISMATCH);
    return see_cid(pass->scan, &block->cid) ? CID_E_NOMEM : CID_OK;
}

/* Threads are worth their start for files that are not read in an instant. */
static unsigned choose_jobs(const struct car_file *file, unsigned jobs)
{
    long processors;

    if (jobs != 0)
        return jobs;
    if (!file->has_size || file->size <= UINT64_C(64) << 20)
        return 1;
    processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        return 1;
    return processors < CID_CAR_WORKERS_MAX ? (unsigned)processors : CID_CAR_WORKERS_MAX;
}

/* Reads up to the end; what comes back is why it ended. */
static enum cid_error read_blocks(struct cli *cli, struct scan *scan, unsigned jobs)
{
    struct pass pass = {.cli = cli, .scan = scan};
    struct cid_car_verify_options options = {
        .workers = choose_jobs(&scan->file, jobs),
        .block = see_block,
        .ctx = &pass,
    };
    enum cid_error error;

    progress_begin(cli, &pass.progress, scan->file.has_size ? scan->file.size : 0);
    error = cid_car_verify(NULL, scan->file.reader, &options);
    progress_end(cli, &pass.progress);
    return error == CID_OK || error == CID_E_MISMATCH || error == CID_E_UNVERIFIABLE ? CID_END
                                                                                     : error;
}

bool scan_has_root(const struct scan *scan, const struct cid_view *root)
{
    if (root->hash.code == CID_HASH_IDENTITY)
        return true;
    return scan->dag.on ? dag_has(&scan->dag, root) : scan->seen && cid_set_has(scan->seen, root);
}

uint64_t scan_unique(const struct scan *scan)
{
    if (scan->dag.on)
        return scan->dag.blocks;
    return scan->seen ? cid_set_count(scan->seen) : 0;
}

static void count_roots(struct scan *scan)
{
    struct cid_view root;

    for (size_t i = 0; cid_car_reader_root(&root, scan->file.reader, i) == CID_OK; i++)
        scan->roots_absent += !scan_has_root(scan, &root);
}

/* What the index and the end of the file come to. */
static void judge_index(struct cli *cli, struct scan *scan)
{
    const struct index_check *index = &scan->index;

    if (index->state == INDEX_BAD)
        worsen(scan, car_status(index->fault.code));
    else if (index->state == INDEX_UNKNOWN || index->state == INDEX_UNCHECKED)
        worsen(scan, STATUS_OPEN);
    else
        return;
    if (index->state == INDEX_BAD || scan->first.code == CID_OK)
        keep_first(scan, &index->fault);
    if (!cli->as_json && index->state != INDEX_UNKNOWN)
        index_check_complain(cli, &scan->file, index);
}

static void judge_end(struct scan *scan, bool strict)
{
    const struct cid_car_info *info = cid_car_reader_info(scan->file.reader);
    uint64_t end = info->data_offset + info->data_size;
    struct cid_fault fault = {.code = CID_E_TRAILING,
                              .field = CID_FIELD_TRAILING,
                              .where = CID_WHERE_FILE,
                              .offset = end};

    if (info->version != 2 || info->index_offset != 0 || info->file_len <= end)
        return;
    scan->trailing = info->file_len - end;
    if (!strict)
        return;
    worsen(scan, STATUS_BAD);
    keep_first(scan, &fault);
}

const char *scan_verdict(const struct scan *scan)
{
    switch (scan->status) {
    case STATUS_GOOD:
        return "good";
    case STATUS_OPEN:
        return scan->dag.missing_len != 0 ? "incomplete" : "unchecked";
    case STATUS_IO:
    case STATUS_USAGE:
        return "failed";
    case STATUS_BAD:
        break;
    }
    if (scan->file.fault.code != CID_OK)
        return "broken";
    if (scan->mismatches != 0)
        return "mismatch";
    if (scan->index.state == INDEX_BAD)
        return "index";
    return scan->dag.unreadable_len != 0 ? "unreadable" : "trailing";
}

static void fail(struct cli *cli, struct scan *scan)
{
    worsen(scan, car_status(scan->file.fault.code));
    keep_first(scan, &scan->file.fault);
    if (!cli->as_json)
        car_complain(cli, &scan->file, &scan->last);
}

/* What can be reached. What an archive that broke off lacks is told all the same. */
static void judge_dag(struct cli *cli, struct scan *scan, const struct dag_roots *roots)
{
    enum cid_error error = dag_finish(&scan->dag, scan->file.reader, roots);

    if (error) {
        car_file_failed(&scan->file, error);
        fail(cli, scan);
        return;
    }
    worsen(scan, dag_status(&scan->dag));
    if (scan->dag.unreadable_len != 0)
        keep_first(scan, &(struct cid_fault){.code = scan->dag.unreadable[0].error});
    if (!cli->as_json)
        dag_complain(cli, scan->file.name, &scan->dag);
}

void scan_run(struct cli *cli, struct scan *scan, const char *name,
              const struct cid_car_options *options, unsigned jobs, const struct dag_roots *roots)
{
    struct car_tap tap;
    enum cid_error error, settled;

    tap = index_check_tap(&scan->index);
    error = car_file_open_tapped(&scan->file, name, options, &tap);
    if (!error && open_sets(scan))
        error = scan->file.fault.code = CID_E_NOMEM;
    if (!error && roots)
        dag_begin(&scan->dag, scan->seen, false);
    if (!error) {
        index_check_begin(&scan->index, &scan->file);
        error = read_blocks(cli, scan, jobs);
        if (batch_flush(scan))
            error = CID_E_NOMEM;
        if (scan->dag.on && (settled = dag_settle(&scan->dag)))
            error = settled;
        scan->unsure = error == CID_E_NOMEM || error == CID_E_TOO_LARGE;
        if (error != CID_END)
            car_file_failed(&scan->file, error);
    }
    tally_finish(&scan->codecs);
    tally_finish(&scan->hashes);
    if (scan->file.reader) {
        if (!scan->unsure)
            count_roots(scan);
        index_check_finish(&scan->index, &scan->file, error == CID_END);
    }
    if (error == CID_END)
        judge_end(scan, options->strict);
    else
        fail(cli, scan);
    judge_index(cli, scan);
    if (scan->dag.on)
        judge_dag(cli, scan, roots);
    cli_status(cli, scan->status);
}

void scan_free(struct scan *scan)
{
    index_check_free(&scan->index);
    dag_free(&scan->dag);
    car_file_close(&scan->file);
    cid_set_close(scan->seen);
    cid_set_close(scan->roots);
    cid_free(&scan->last.cid, NULL);
    tally_free(&scan->codecs);
    tally_free(&scan->hashes);
}

uint64_t scan_size(const struct scan *scan)
{
    return scan->file.has_size ? scan->file.size : scan->file.total;
}
