import { setImmediate as nextTurn } from 'node:timers/promises'
import { batchInputsMax, type BatchProblem, type FieldErrors } from '@gatehouse/contract'
import { AppError } from '../../../../kernel/app-error.ts'
import { inputRead } from '../../runs/input-threads.ts'
import type { ReadInput } from '../../runs/run-input.ts'
import type { InputProblems, InputRules } from '../../runs/stored-rules.ts'
import type { RawInput, RowPlace } from './raw-input.ts'

/** An input that fits its workflow. */
export interface GoodInput extends Pick<
  Extract<ReadInput, { ok: true }>,
  'reference' | 'orderKey' | 'contentHash'
> {
  line: number
  text: string
}

interface Checking {
  workflowId: number
  isTest: boolean
  rules: InputRules
  inputProblems: InputProblems
}

/** One that does not fit, and where it is. */
export interface UnfitInput extends Pick<BatchProblem, 'line' | 'errors'> {
  /** Null: it has none, or can't be read. */
  reference: string | null
  place: RowPlace | undefined
}

export type CheckedInput = { ok: true; input: GoodInput } | ({ ok: false } & UnfitInput)

/** So many inputs are checked at once; then others have their turn. */
const checkedAtOnce = 50

/**
 * Checks each input as a single run is checked. A reference that an earlier input has is a problem that
 * names both lines. Throws a 413 past 100,000 inputs.
 */
export async function* checkInputs(
  inputs: AsyncIterable<RawInput>,
  checking: Checking,
): AsyncGenerator<CheckedInput> {
  const { rules, inputProblems } = checking
  const lines = new Map<string, number>()
  for await (const chunk of chunks(inputs)) {
    const texts = chunk.flatMap((raw) => ('text' in raw ? [raw.text] : []))
    const unfit = rules.schema === null ? [] : await inputProblems(rules.schema, texts)
    const found = unfit.values()
    for (const raw of chunk) {
      const { line, place } = raw
      const checked =
        'errors' in raw
          ? { errors: raw.errors, reference: null }
          : await checkOne(raw, found.next().value, checking, lines)
      if ('errors' in checked) yield { ok: false, line, place, ...checked }
      else yield { ok: true, input: checked }
    }
    await nextTurn()
  }
}

async function checkOne(
  { line, text }: Extract<RawInput, { text: string }>,
  unfit: FieldErrors | undefined,
  { workflowId, isTest, rules }: Checking,
  lines: Map<string, number>,
): Promise<GoodInput | Pick<UnfitInput, 'errors' | 'reference'>> {
  const isListed = rules.inputsPerRun > 1
  const read = await inputRead({ text, paths: rules.paths, workflowId, isTest, isListed })
  if (!read.ok) return { errors: { '': [read.message] }, reference: null }
  const { reference, orderKey, contentHash } = read
  const found = { ...read.errors }
  // What the schema says of the reference is not said twice.
  if (unfit?.[pointerTo(rules.paths.reference)]) delete found['reference']
  const errors = { ...unfit, ...found, ...twinOf(reference, line, lines) }
  if (Object.keys(errors).length > 0) return { errors, reference }
  return { line, text, reference, orderKey, contentHash }
}

/** A mapping path as a JSON pointer. */
const pointerTo = (path: string) => `/${path.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`

/** What is wrong with a reference that an earlier line has; notes it for later ones. */
function twinOf(reference: string | null, line: number, lines: Map<string, number>): FieldErrors {
  if (reference === null) return {}
  const first = lines.get(reference)
  if (first === undefined) {
    lines.set(reference, line)
    return {}
  }
  return { reference: [`The reference ${reference} is in line ${first} and in line ${line}.`] }
}

async function* chunks(inputs: AsyncIterable<RawInput>): AsyncGenerator<RawInput[]> {
  let chunk: RawInput[] = []
  for await (const each of inputs) {
    if (each.line > batchInputsMax) {
      throw new AppError('request.too_large', {
        message: `A batch may not have more than ${batchInputsMax.toLocaleString('en')} inputs.`,
      })
    }
    chunk.push(each)
    if (chunk.length < checkedAtOnce) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
