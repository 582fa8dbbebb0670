import { validate } from '@scalar/openapi-validator'

interface Problem {
  ruleId: string
  message: string
  location: { pointer?: string }[]
}

/** What is used of Redocly's linter. Its own types are those of a whole product. */
interface Redocly {
  createConfig: (config: object) => Promise<object>
  lintFromString: (input: { source: string; config: object }) => Promise<Problem[]>
}

const redocly: string = '@redocly/openapi-core'

/** What is asked of documents for people, and what no document of ours can give. */
const rules = {
  // `/runs/by-key/{key}` beside `/runs/{id}/events`: OpenAPI 3.1.1 §4.8.8.2 lets the fixed one come first, as we do.
  'no-ambiguous-paths': 'off',
  // Which licence an API has is for its owner to say.
  'info-license': 'off',
  // Tests serve at such hosts.
  'no-server-example.com': 'off',
}

/** What two validators that share no code say of an OpenAPI document, warnings too. */
export async function openApiProblems(document: object): Promise<string[]> {
  const { createConfig, lintFromString } = (await import(redocly)) as Redocly
  const config = await createConfig({ extends: ['recommended'], rules })
  const source = JSON.stringify(document)
  const found = await lintFromString({ source, config })
  const { errors = [] } = validate(structuredClone(document))
  return [
    ...errors.map((error) => JSON.stringify(error)),
    ...found
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
      .filter((problem) => !isUsedInPart(problem, source)),
  ]
}

/** The linter misses references that lead into a component. */
function isUsedInPart(problem: string, source: string): boolean {
  const [, pointer] = /^no-unused-components: .* (#\S+)$/.exec(problem) ?? []
  return pointer !== undefined && source.includes(`"$ref":"${pointer}/`)
}
