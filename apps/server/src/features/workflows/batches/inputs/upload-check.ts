import { batchTypes, type BatchProblem, type BatchType } from '@gatehouse/contract'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Runnable } from '../../runs/runnable.ts'
import type { InputProblems, InputRules } from '../../runs/stored-rules.ts'
import { checkInputs, type CheckedInput } from './checked-inputs.ts'
import { readUpload } from './read-inputs.ts'
import type { Spool } from './spool.ts'

/** Problems and rows that an answer shows. */
const problemsMax = 100
const rowsShown = 10

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
  const { inputs, hash } = readUpload(request.body, typeOf(request), schema)
  const content = { workflowId: workflow.id, isTest: request.isTest ?? false }
  return { inputs: checkInputs(inputs, { rules, inputProblems, ...content }), hash }
}

/** What an upload holds, for a person who has not sent it yet. */
export async function describeUpload(inputs: AsyncIterable<CheckedInput>) {
  const rows: { line: number; input: string; reference: string | null }[] = []
  const problems: BatchProblem[] = []
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
    if (problems.length < problemsMax) problems.push({ line: each.line, errors: each.errors })
  }
  return { total, bad, rows, problems }
}

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
