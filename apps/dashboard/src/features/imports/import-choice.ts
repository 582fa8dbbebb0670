import type { ImportInput, Preview, PreviewApi } from './import-queries.ts'

/** What the user has chosen of one server of a document. */
export interface ApiChoice {
  isChosen: boolean
  /** Id of the API that the operations go to; null: a new one. */
  target: number | null
  /** Of a new API. */
  name: string
  url: string
  /** Keys of operations. */
  operations: ReadonlySet<string>
}

type Choices = Readonly<Record<string, ApiChoice>>

type Existing = PreviewApi['existing'][number]
export type Outcome = Existing['operations'][number]

const atNewApi: Omit<Outcome, 'key'> = {
  action: 'create',
  changes: [],
  endpoint_id: null,
  is_token_required: true,
  roles_count: 0,
}

/** What comes of each operation at the API, by its key. */
export function outcomesAt(api: PreviewApi, target: number | null): ReadonlyMap<string, Outcome> {
  const existing = api.existing.find(({ id }) => id === target)
  const all = existing?.operations ?? api.operations.map(({ key }) => ({ ...atNewApi, key }))
  return new Map(all.map((outcome) => [outcome.key, outcome]))
}

/** A curl command or a URL: one endpoint. */
export const isOneRequest = ({ format }: Preview) => format === 'curl' || format === 'address'

/** Everything that is new or differs there. */
export const changedAt = (api: PreviewApi, target: number | null): ReadonlySet<string> =>
  new Set(
    [...outcomesAt(api, target)].flatMap(([key, { action }]) => (action === 'left' ? [] : [key])),
  )

/** The first server, at the API that it has already. Other servers are mostly the same API elsewhere. */
export const firstChoices = ({ apis }: Preview): Choices =>
  Object.fromEntries(
    apis.map((api, at) => {
      const target = api.existing[0]?.id ?? null
      const choice = {
        isChosen: at === 0 || target !== null,
        target,
        name: api.name,
        url: api.api_url,
        operations: changedAt(api, target),
      }
      return [api.key, choice]
    }),
  )

/** The choice while its API is offered; else a new API, with everything. */
export const withTargetOf = (api: PreviewApi, choice: ApiChoice): ApiChoice =>
  choice.target === null || api.existing.some(({ id }) => id === choice.target)
    ? choice
    : { ...choice, target: null, operations: changedAt(api, null) }

const isTaken = ({ isChosen, operations }: ApiChoice) => isChosen && operations.size > 0

interface Given {
  document: string
  apis: PreviewApi[]
  /** Ids of the roles that get access. */
  roles: readonly number[]
  takesSignIn: boolean
}

/** The body of the import, and for each of its APIs the key that its errors belong to. */
export function toImportInput(given: Given, choices: Choices): ImportInput {
  const { document, apis, roles, takesSignIn } = given
  return {
    document,
    roles: [...roles],
    takes_sign_in: takesSignIn,
    apis: apis.flatMap(({ key }) => {
      const choice = choices[key]
      if (!choice || !isTaken(choice)) return []
      const { target: api_id, name, url: api_url } = choice
      return { key, api_id, name, api_url, operations: [...choice.operations] }
    }),
  }
}

export function countChosen(choices: Choices): number {
  return Object.values(choices)
    .filter(isTaken)
    .reduce((sum, { operations }) => sum + operations.size, 0)
}
