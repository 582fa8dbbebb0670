import type { ExactJson } from '../mapping/exact/exact-json.ts'
import { parsePath } from '../mapping/paths/parse-path.ts'
import type { PathSegment } from '../mapping/paths/path-segments.ts'
import { readPath } from '../mapping/paths/read-path.ts'
import { suggestion, type Place } from './placeholder-hint.ts'
import type { Written } from './placeholder-pieces.ts'

/**
 * `{{steps.1.body.path}}` in a text of a body: takes a value from an earlier step's answer
 * (docs/runs.md). `{{input.path}}` takes one from the input of a workflow's run.
 */
export interface Placeholder {
  /** As it was written, braces included. */
  text: string
  /** 0: the input. */
  step: number
  segments: PathSegment[]
  hasMany: boolean
}

/**
 * The answer of an earlier step as exact JSON, and for 0 the input; undefined where it is unknown or
 * not JSON.
 */
export type AnswerOf = (step: number) => ExactJson | undefined

const ofStep = /^\.(\d{1,2})\.body(?=$|[.[])(.*)$/s
const ofInput = /^((?:[.[].*)?)$/s

/** Reads one placeholder; refuses one that no body at this place can have. */
export function readPlaceholder(text: string, written: Written, place: Place) {
  const read =
    written.from === 'input' ? readInput(text, written, place) : readStep(text, written, place)
  if (!read.ok) return read
  const parsed = parsePath(`$${read.path}`, 'read')
  if (!parsed.ok) return refused(`${text}: ${parsed.message}`)
  const hasMany = parsed.segments.some(({ kind }) => kind === 'all')
  return {
    ok: true,
    placeholder: { text, step: read.step, segments: parsed.segments, hasMany },
  } as const
}

function readInput(text: string, { rest }: Written, { hasInput }: Place) {
  if (!hasInput)
    return refused(`${text} can only be used in a workflow: nothing else has an input.`)
  const [, path] = ofInput.exec(rest) ?? []
  return path === undefined
    ? refused(`${text} can't be read: write {{input.path}}.`)
    : ({ ok: true, step: 0, path } as const)
}

function readStep(text: string, { rest }: Written, { position, hasInput }: Place) {
  const [, step = '', path = ''] = ofStep.exec(rest) ?? []
  const number = Number(step)
  if (step === '') {
    const meant = suggestion(text, { position, hasInput })
    return refused(
      `${text} can't be read: write {{steps.1.body.path}} with the number of an earlier step.${
        meant === undefined ? '' : ` Did you mean ${meant}?`
      }`,
    )
  }
  if (number >= 1 && number < position) return { ok: true, step: number, path } as const
  if (position > 1)
    return refused(`${text} asks step ${number}, which does not come before step ${position}.`)
  const advice = hasInput ? ' Step 1 takes values from the input: {{input.path}}.' : ''
  return refused(`${text} can't be used in step 1: no step comes before it.${advice}`)
}

/** The value that a placeholder takes, or why there is none. */
export function valueAt({ text, step, segments, hasMany }: Placeholder, answerOf: AnswerOf) {
  const answer = answerOf(step)
  if (answer === undefined) return refused(`${text}: step ${step} left no answer that is JSON.`)
  const found = readPath(answer, segments)
  if (!found.ok) return refused(`${text}: ${found.message}`)
  if (hasMany && found.values.length > 0) return { ok: true, value: found.values } as const
  const [value] = found.values
  if (value !== undefined) return { ok: true, value } as const
  const source = step === 0 ? 'the input' : `the answer of step ${step}`
  return refused(`${text}: ${source} has no such value.`)
}

const refused = (message: string) => ({ ok: false, message }) as const
