import { WorkerLink } from '../../../../kernel/threads/worker-link.ts'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { JsonText } from '../../../../kernel/json/json-text.ts'
import { ThreadEnded } from '../../../../kernel/threads/thread-ended.ts'
import type { AnswerPaths, Digest } from '../../answers/answer-digest.ts'
import { contentHashOf, type RunContent } from './content-hash.ts'
import { planBodies, type PlannedBody, type TypedBody } from './plan-body.ts'
import type { ResolvedStep, TakingStep } from '../resolve-step.ts'
import { shownJsonOf, type ShownJson } from '../../answers/shown-json.ts'

export type BodyQuestion =
  | { work: 'plan'; typed: readonly TypedBody[]; inputText: string | undefined }
  | { work: 'resolve'; step: TakingStep }
  | { work: 'hash'; content: RunContent }
  | { work: 'digest'; body: Uint8Array; paths: AnswerPaths }
  | { work: 'show'; text: string }

/** Up to this many characters are read at once, in a few milliseconds. */
const smallCharacters = 16_384

const thread = <A>(name: string, queueMax: number) =>
  new WorkerLink<BodyQuestion, A>(new URL('body-worker.ts', import.meta.url), {
    name,
    timeoutMs: 30_000,
    isComputing: true,
    heapMaxMb: 512,
    queueMax,
  })
const planner = thread<PlannedBody[]>('planning', 32)
// One each: a run that is under way never waits for bodies that were just typed, nor fails with them. How many
// runs are under way is bounded elsewhere, so that none is refused here.
const resolver = thread<ResolvedStep>('resolving', Infinity)
const hasher = thread<string>('hashing', 32)
// How many answers there are is bounded by the calls under way.
const digester = thread<Digest>('answers', Infinity)
const shower = thread<ShownJson<string>>('shown answers', 32)

/**
 * The result of `planBodies`. A thread plans large bodies, and the steps of a large input together.
 * Throws a 429 while its queue is full.
 */
export async function plannedBodies(
  typed: readonly TypedBody[],
  inputText?: string,
): Promise<PlannedBody[]> {
  const ask = (some: readonly TypedBody[]) =>
    sizeOf(some, inputText) <= smallCharacters
      ? planBodies(some, inputText)
      : planner.ask({ work: 'plan', typed: some, inputText })
  if (inputText !== undefined) return ask(typed)
  const planned: PlannedBody[] = []
  for (const each of typed) planned.push(...(await ask([each])))
  return planned
}

const sizeOf = (typed: readonly TypedBody[], inputText = '') =>
  typed.reduce((sum, { body }) => sum + body.length, inputText.length)

/** Whether the step belongs in the thread: no transaction waits for that. */
export const isLarge = ({ source, answers }: TakingStep): boolean =>
  answers.values().reduce((sum, { length }) => sum + length, source.text.length) > smallCharacters

/** The result of `resolveStep`, worked out by a thread. */
export const resolveInThread = (step: TakingStep): Promise<ResolvedStep> =>
  resolver.ask({ work: 'resolve', step })

/** The result of `contentHashOf`. A thread hashes large content. Throws a 429 while its queue is full. */
export async function contentHash(content: RunContent): Promise<string> {
  const characters = content.steps.reduce((sum, { body }) => sum + body.length, 0)
  return characters > smallCharacters
    ? hasher.ask({ work: 'hash', content })
    : contentHashOf(content)
}

/** The result of `digestOf`. Nothing is left where the answer takes the thread too much time or memory. */
export async function digestInThread(body: Uint8Array, paths: AnswerPaths): Promise<Digest> {
  try {
    return await digester.ask({ work: 'digest', body, paths })
  } catch (error) {
    if (error instanceof ThreadEnded) return { left: undefined }
    throw error
  }
}

/**
 * The result of `shownJsonOf`. A thread reads a large text, and writes its JSON. Throws a 429 while its queue is full,
 * and `ThreadEnded` where the text takes too much time or memory.
 */
export async function jsonIn(text: string): Promise<ShownJson<ExactJson | JsonText>> {
  if (text.length <= smallCharacters) return shownJsonOf(text)
  const shown = await shower.ask({ work: 'show', text })
  return shown.ok ? { ok: true, value: new JsonText(shown.value) } : shown
}
