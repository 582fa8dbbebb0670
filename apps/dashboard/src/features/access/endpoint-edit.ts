import type { AccessDifference, AccessEndpoint } from '@gatehouse/contract'
import type { Answer } from '../../lib/calls/call.ts'

type Choices = Answer<'GET /api/api-permission/:id/endpoints'>
export type EndpointChoice = Choices['endpoints'][number]
export type ApiChoice = Choices['apis'][number]

/** What differs from the endpoints that the role has: single ones, and all of an API. */
export interface EndpointEdit {
  add: AccessEndpoint[]
  remove: AccessEndpoint[]
  addApis: ApiChoice[]
  removeApis: ApiChoice[]
}

export const noEdit: EndpointEdit = { add: [], remove: [], addApis: [], removeApis: [] }

const has = (list: readonly { id: number }[], id: number) => list.some((each) => each.id === id)

/** Whether the role would have the endpoint if nothing were said about it alone. */
function isHeldWithApi(edit: EndpointEdit, { api_id, is_held }: EndpointChoice): boolean {
  if (has(edit.addApis, api_id)) return true
  return is_held && !has(edit.removeApis, api_id)
}

/** Whether the role has the endpoint once the edit is saved. */
export function isChosen(edit: EndpointEdit, endpoint: EndpointChoice): boolean {
  if (has(edit.add, endpoint.id)) return true
  return !has(edit.remove, endpoint.id) && isHeldWithApi(edit, endpoint)
}

export function toggleEndpoint(edit: EndpointEdit, endpoint: EndpointChoice): EndpointEdit {
  const { is_held: _, ...named } = endpoint
  const without = (list: readonly AccessEndpoint[]) => list.filter(({ id }) => id !== endpoint.id)
  const clean = { ...edit, add: without(edit.add), remove: without(edit.remove) }
  const isWanted = !isChosen(edit, endpoint)
  if (isWanted === isHeldWithApi(edit, endpoint)) return clean
  return isWanted
    ? { ...clean, add: [...clean.add, named] }
    : { ...clean, remove: [...clean.remove, named] }
}

/** How many endpoints of an API the role has once the edit is saved. */
export function countOfApi(edit: EndpointEdit, { id, endpoints_count, held_count }: ApiChoice) {
  const ofApi = (list: readonly AccessEndpoint[]) => list.filter(({ api_id }) => api_id === id)
  const base = has(edit.addApis, id) ? endpoints_count : has(edit.removeApis, id) ? 0 : held_count
  return base + ofApi(edit.add).length - ofApi(edit.remove).length
}

/** Gives the role every endpoint of an API, or takes them where it has all. */
export function toggleApi(edit: EndpointEdit, api: ApiChoice): EndpointEdit {
  const isWanted = countOfApi(edit, api) < api.endpoints_count
  const others = (list: readonly AccessEndpoint[]) => list.filter(({ api_id }) => api_id !== api.id)
  const otherApis = (list: readonly ApiChoice[]) => list.filter(({ id }) => id !== api.id)
  const clean = {
    add: others(edit.add),
    remove: others(edit.remove),
    addApis: otherApis(edit.addApis),
    removeApis: otherApis(edit.removeApis),
  }
  const heldOfAll = isWanted ? api.endpoints_count : 0
  if (api.held_count === heldOfAll) return clean
  return isWanted
    ? { ...clean, addApis: [...clean.addApis, api] }
    : { ...clean, removeApis: [...clean.removeApis, api] }
}

/** How many endpoints the role has once the edit is saved. */
export function countChosen(edit: EndpointEdit, heldCount: number): number {
  const added = edit.addApis.reduce((sum, api) => sum + api.endpoints_count - api.held_count, 0)
  const removed = edit.removeApis.reduce((sum, api) => sum + api.held_count, 0)
  return heldCount + added - removed + edit.add.length - edit.remove.length
}

export function toDifference({ add, remove, addApis, removeApis }: EndpointEdit): AccessDifference {
  const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)
  return {
    add: ids(add),
    remove: ids(remove),
    add_apis: ids(addApis),
    remove_apis: ids(removeApis),
  }
}
