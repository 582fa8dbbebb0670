import type { OutputRoot } from '@gatehouse/contract/custom-output'
import { emptyObject, LosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import type { Exchange } from '../exchange/exchange.ts'

/**
 * What a template can name, as far as it does. A query parameter that occurs more than once is a list.
 */
export function outputScope(
  exchange: Exchange,
  roots: ReadonlySet<OutputRoot>,
  answer: {
    status: number
    headers: Readonly<Record<string, string | string[] | undefined>>
    body: ExactJson
  },
): ExactObject {
  const scope = emptyObject()
  if (roots.has('status')) scope['status'] = new LosslessNumber(String(answer.status))
  if (roots.has('headers')) scope['headers'] = headersOf(answer.headers)
  if (roots.has('body')) scope['body'] = answer.body
  if (roots.has('params')) scope['params'] = paramsOf(exchange)
  if (roots.has('query')) scope['query'] = queryOf(exchange.query)
  return scope
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): ExactObject {
  const object = emptyObject()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) object[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return object
}

/** The values of the path's parameters by name. */
export function paramsOf({ endpoint, params }: Exchange): ExactObject {
  const object = emptyObject()
  endpoint?.paramNames.forEach((name, at) => (object[name] = params[at] ?? ''))
  return object
}

export function queryOf(query: string): ExactObject {
  const object = emptyObject()
  for (const [name, value] of new URLSearchParams(query)) {
    const known = object[name]
    if (known === undefined) object[name] = value
    else if (Array.isArray(known)) known.push(value)
    else object[name] = [known, value]
  }
  return object
}
