import type { EndpointOption, EndpointRecord } from '@gatehouse/contract'

type Choice = EndpointOption | null | undefined

export function detailOf({ path, api }: EndpointOption): string {
  return `${path} · ${api.name}`
}

/** Names an endpoint unambiguously; blank where none is chosen. */
export function fullNameOf(choice: Choice): string {
  return choice ? `${choice.summery} (${choice.method_type.toUpperCase()} ${detailOf(choice)})` : ''
}

/** Whether bodies to this endpoint are text that is sent as typed, and not JSON. */
export const takesText = (choice: Choice): boolean =>
  choice?.text_content_type !== undefined && choice.text_content_type !== null

/** What the body of a request to this endpoint is used for (spec: endpoint-path). */
export function bodyHint(choice: Choice, whenBlank: string): string {
  if (takesText(choice)) return `Text, sent as typed (${choice?.text_content_type}).`
  const parameters = choice?.path.match(/\{\w+\}/g)?.join(', ')
  const rest =
    choice?.method_type === 'get' ? 'the rest becomes the query string' : 'the rest is sent'
  if (parameters === undefined) return `JSON. ${whenBlank}`
  return `JSON. Its fields fill ${parameters} of the path; ${rest}.`
}

/** Methods as forms and filters offer them. */
export const methodChoices: { value: EndpointRecord['method_type']; label: string }[] = [
  { value: 'get', label: 'GET' },
  { value: 'post', label: 'POST' },
  { value: 'put', label: 'PUT' },
  { value: 'patch', label: 'PATCH' },
  { value: 'delete', label: 'DELETE' },
  { value: 'head', label: 'HEAD' },
]
