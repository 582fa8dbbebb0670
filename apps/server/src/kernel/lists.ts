import type { Caller } from './caller.ts'

// A list of an endpoint, as a schedule starts runs for its elements and a reconciliation compares it.

/** What is asked of the endpoint, and what is read from each element of its answer. */
export interface ListQuestion {
  endpointId: number
  /** The body, or the query of a GET as JSON; `{{name}}` stands for one of the values. */
  request: string
  values: Readonly<Record<string, string>>
  /** Where the list is in the answer; blank: the answer itself. */
  itemsPath: string
  /** Places in each element, by the names under which their values are answered. */
  paths: Readonly<Record<string, string>>
}

/** An element of a list, with the plain values at the places that were asked for. */
export interface ListElement {
  /** JSON; numbers are as they came. */
  text: string
  values: Partial<Record<string, string>>
}

/** What is wrong, and which field of a form it belongs to. */
export interface ListRefusal {
  ok: false
  field: 'endpoint_id' | 'request' | 'items_path'
  /** The user may not call the endpoint, or it can't be called; nothing was sent. */
  isRefused: boolean
  message: string
}

export type FetchedList = { ok: true; elements: ListElement[] } | ListRefusal

/** Fetches a whole list on behalf of a user, or says why there is none. */
export interface Lists {
  /** Whether the question can be asked; nothing is sent. */
  prepare(question: ListQuestion, caller: Caller): Promise<{ ok: true } | ListRefusal>
  fetch(question: ListQuestion, caller: Caller, signal?: AbortSignal): Promise<FetchedList>
}
