import { batchTypes, type BatchProblem, type BatchType } from '@gatehouse/contract'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Runnable } from '../../runs/runnable.ts'
import type { InputProblems, InputRules } from '../../runs/stored-rules.ts'
import { checkInputs, type CheckedInput, type UnfitInput } from './checked-inputs.ts'
import type { CsvHeader } from './raw-input.ts'
import { readUpload } from './read-inputs.ts'
import type { Spool } from './spool.ts'

/** Problems and rows that an answer shows. */
const problemsMax = 100
const rowsShown = 10
/** Bad rows whose place in the file is told, so that the others can be sent without them. */
const rangesMax = 10_000

interface BadRange {
  line: number
  from: number
  to: number
}

export interface UploadRequest {
  slug: string
  body: AsyncIterable<Uint8Array>
  contentType: string | undefined
  isTest?: boolean
}

interface Asked {
  workflow: Runnable
  rules: InputRules
  inputProblems: InputProblems
}

/** The inputs of an upload, each checked as a single run is. */
export function readChecked(request: UploadRequest, { workflow, rules, inputProblems }: Asked) {
  const schema: unknown = rules.schema === null ? null : JSON.parse(rules.schema)
  const { inputs, hash, header } = readUpload(request.body, typeOf(request), schema)
  const content = { workflowId: workflow.id, isTest: request.isTest ?? false }
  return { inputs: checkInputs(inputs, { rules, inputProblems, ...content }), hash, header }
}

/** What an upload holds, for a person who has not sent it yet. `referencePath` finds the references of unfit rows. */
export async function describeUpload(
  { inputs, header }: Pick<ReturnType<typeof readChecked>, 'inputs' | 'header'>,
  referencePath: string,
) {
  const rows: { line: number; input: string; reference: string | null }[] = []
  const problems: BatchProblem[] = []
  const ranges: BadRange[] = []
  let total = 0
  let bad = 0
  for await (const each of inputs) {
    total++
    if (each.ok && rows.length < rowsShown) {
      const { line, text, reference } = each.input
      rows.push({ line, input: text, reference })
    }
    if (each.ok) continue
    bad++
    const { line, place } = each
    if (place && ranges.length <= rangesMax)
      ranges.push({ line, from: place.range[0], to: place.range[1] })
    if (problems.length < problemsMax) problems.push(described(each, header(), referencePath))
  }
  return { total, bad, rows, problems, csv: csvOf(header(), ranges) }
}

function described(
  { line, errors, place, reference }: UnfitInput,
  header: CsvHeader | undefined,
  referencePath: string,
): BatchProblem {
  const at = header?.columns.indexOf(referencePath) ?? -1
  return {
    line,
    errors,
    reference: reference ?? (place?.cells[at] || null),
    file_line: place?.fileLine ?? null,
    cells: place ? [...place.cells] : null,
  }
}

const csvOf = (header: CsvHeader | undefined, ranges: BadRange[]) =>
  header
    ? {
        columns: [...header.columns],
        header_bytes: header.bytes,
        bad_rows: ranges.length > rangesMax ? null : ranges,
      }
    : null

/** Every input that fits goes into the spool; after the first problem only problems are collected. */
export async function spoolGood(spool: Spool, checked: AsyncIterable<CheckedInput>) {
  const problems: BatchProblem[] = []
  let total = 0
  for await (const each of checked) {
    total++
    if (!each.ok && problems.length < problemsMax)
      problems.push({ line: each.line, errors: each.errors })
    if (each.ok && problems.length === 0) await spool.put(each.input)
  }
  await spool.close()
  return { total, problems }
}

/** `line 3` for an input as a whole, `line 3 /total` for a place in it. */
export const errorsOf = (problems: readonly BatchProblem[]) =>
  Object.fromEntries(
    problems.flatMap(({ line, errors }) =>
      Object.entries(errors).map(([place, messages]) => [`line ${line} ${place}`.trim(), messages]),
    ),
  )

function typeOf({ contentType }: UploadRequest): BatchType {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  const known = batchTypes.find((each) => each === type)
  if (!known)
    throw new AppError('request.not_json', {
      message: `Send the body as one of ${batchTypes.join(', ')}.`,
    })
  return known
}
