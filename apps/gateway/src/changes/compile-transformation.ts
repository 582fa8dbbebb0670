import type { SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { readBody, readRules } from '@gatehouse/contract/transformation'
import type {
  TransformBody,
  TransformRule,
  TransformSide,
} from '@gatehouse/contract/transformation'

/** What is changed on one side of a call. */
export interface CompiledSide {
  readonly rules: readonly TransformRule[]
  /** Null: the body stays as it is. */
  readonly body: TransformBody | null
  /** A rule or the body reads the body that came. */
  readonly isBodyRead: boolean
}

export interface CompiledTransformation {
  /** Null: nothing is changed there. */
  readonly request: CompiledSide | null
  readonly answer: CompiledSide | null
  /** Why it can't be used; null: it can. */
  readonly fault: string | null
}

/** Null where nothing is changed. */
export function compileTransformation(
  given: SnapshotEndpoint['transformation'],
): CompiledTransformation | null {
  if (given === null) return null
  try {
    const request = compileSide(given.request_rules, given.request_body, 'request')
    const answer = compileSide(given.answer_rules, given.answer_body, 'answer')
    return request === null && answer === null ? null : { request, answer, fault: null }
  } catch (error) {
    return { request: null, answer: null, fault: (error as Error).message }
  }
}

function compileSide(text: string, bodyText: string, side: TransformSide): CompiledSide | null {
  const { rules, problems } = readRules(text, side)
  const read = readBody(bodyText, side)
  const [problem] = read.ok ? problems : [read.problem]
  if (problem !== undefined || !read.ok) throw new Error(problem)
  const { body } = read
  return rules.length === 0 && body === null
    ? null
    : { rules, body, isBodyRead: body?.kind === 'rows' || valuesOf(rules, body).some(readsBody) }
}

const valuesOf = (rules: readonly TransformRule[], body: TransformBody | null) => [
  ...rules.flatMap((rule) => ('value' in rule ? [rule.value] : [])),
  ...(body?.kind === 'template' ? [body.output] : []),
]

const readsBody = (value: ReturnType<typeof valuesOf>[number]) =>
  value.kind === 'template' && value.roots.has('body')
