import type { ImportInput, Preview, PreviewApi } from './import-queries.ts'

/** What the user has chosen of one server of a document. */
export interface ApiChoice {
  isChosen: boolean
  name: string
  url: string
  /** Keys of operations. */
  operations: ReadonlySet<string>
}

export type Choices = Readonly<Record<string, ApiChoice>>

/** The first server, with everything that is new or differs. Others are mostly the same API elsewhere. */
export const firstChoices = ({ apis }: Preview): Choices =>
  Object.fromEntries(
    apis.map((api, at) => [
      api.key,
      {
        isChosen: at === 0 || api.api !== null,
        name: api.name,
        url: api.api_url,
        operations: new Set(
          api.operations.filter(({ action }) => action !== 'left').map(({ key }) => key),
        ),
      },
    ]),
  )

export const isTaken = ({ isChosen, operations }: ApiChoice) => isChosen && operations.size > 0

/** The body of the import, and for each of its APIs the key that its errors belong to. */
export function toImportInput(document: string, apis: PreviewApi[], choices: Choices): ImportInput {
  return {
    document,
    apis: apis.flatMap(({ key }) => {
      const choice = choices[key]
      if (!choice || !isTaken(choice)) return []
      return { key, name: choice.name, api_url: choice.url, operations: [...choice.operations] }
    }),
  }
}

export function countChosen(choices: Choices): number {
  return Object.values(choices)
    .filter(isTaken)
    .reduce((sum, { operations }) => sum + operations.size, 0)
}
