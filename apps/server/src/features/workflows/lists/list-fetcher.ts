import { bodyText } from '@gatehouse/contract/answer-tree'
import { effectOf } from '@gatehouse/contract'
import type { Exchanged } from '@gatehouse/upstream'
import { plannedBodies } from '../../runs/steps/bodies/body-threads.ts'
import { formatOf, requestTargetOf, type FrozenRequest } from '../../runs/steps/freeze-request.ts'
import type { StepSender } from '../../runs/steps/step-sender.ts'
import type { Target, Targets } from '../../runs/steps/target.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { FetchedList, ListQuestion, ListRefusal, Lists } from '../../../kernel/lists.ts'
import { listRead } from './list-threads.ts'

type Prepared = { ok: true; target: Target; request: FrozenRequest } | ListRefusal

const refused = (field: ListRefusal['field'], message: string): ListRefusal => ({
  ok: false,
  field,
  isRefused: true,
  message,
})
const failed = (field: ListRefusal['field'], message: string): ListRefusal => ({
  ok: false,
  field,
  isRefused: false,
  message,
})

/** Fetches lists from endpoints that only read, with the sign-in and the bounds of their API. */
export class ListFetcher implements Lists {
  readonly #targets: Targets
  readonly #sender: Pick<StepSender, 'exchange'>

  constructor(targets: Targets, sender: Pick<StepSender, 'exchange'>) {
    this.#targets = targets
    this.#sender = sender
  }

  /** What would be sent. The user has to have access to the endpoint. */
  async prepare(question: ListQuestion, caller: Caller): Promise<Prepared> {
    const found = await this.#targets.find(question.endpointId, caller)
    if (!found.ok) return refused('endpoint_id', found.message)
    const { target } = found
    if (effectOf(target.settings, target.method) !== 'read')
      return refused(
        'endpoint_id',
        'A list is fetched again and again: choose an endpoint that only reads, by its run settings.',
      )
    const typed = {
      position: 1,
      body: namedInput(question),
      dependencyField: null,
      format: formatOf(target),
      target: { ...requestTargetOf(target), settings: target.settings },
    }
    const [planned] = await plannedBodies([typed], JSON.stringify(question.values))
    if (planned?.ok && planned.request) return { ok: true, target, request: planned.request }
    const problem = planned?.ok === false ? planned.problems[0]?.message : undefined
    return refused('request', shownName(problem ?? 'The request can’t be made.'))
  }

  /** The whole list or why there is none: never a part of it. Throws only what is a bug. */
  async fetch(question: ListQuestion, caller: Caller, signal?: AbortSignal): Promise<FetchedList> {
    const prepared = await this.prepare(question, caller)
    if (!prepared.ok) return prepared
    const { target, request } = prepared
    const asked = { target, credential: target.destination.credential }
    const { answer } = await this.#sender.exchange(asked, request, signal)
    const text = textOf(answer)
    if (typeof text !== 'string') return text
    const { itemsPath, paths } = question
    const read = await listRead({ text, itemsPath, paths })
    return read.ok ? read : failed('items_path', read.message)
  }
}

function textOf(answer: Exchanged['answer']): string | ListRefusal {
  if (!answer.ok) return failed('endpoint_id', `The list was not received: ${answer.detail}.`)
  if (answer.status < 200 || answer.status > 299)
    return failed('endpoint_id', `The endpoint answered ${answer.status} instead of a list.`)
  return bodyText(answer.body)
}

/** The values are the input of a body like that of a step: each content type has its own escaping. */
function namedInput({ request, values }: ListQuestion): string {
  return request.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? `{{input.${name}}}` : whole,
  )
}

/** What a user typed has no `input.` in it. */
const shownName = (message: string) => message.replaceAll('input.', '')
