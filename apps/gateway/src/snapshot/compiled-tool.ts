import type { SnapshotApi, SnapshotEndpoint, SnapshotTool } from '@gatehouse/contract/gateway'
import type { CompiledCheck } from '@gatehouse/contract/json-schema'
import { hash } from 'node:crypto'
import { fieldKind } from '../http/field-names.ts'
import { jsonSchema } from '../schemas/load-checks.ts'
import type { CompiledFields } from './compile-sign-in.ts'

export type ToolParameter = SnapshotTool['parameters'][number]

/** What a tool knows of its endpoint. */
export interface OfferedEndpoint {
  readonly config: SnapshotEndpoint
  readonly api: {
    readonly config: SnapshotApi
    readonly keyHeader: string | null
    readonly signatureSeconds: number | null
  }
  readonly fields: CompiledFields | null
}

/**
 * An endpoint as a tool of agents (spec: agent-tools). What costs more than a look-up is made when it is first needed:
 * a configuration may have thousands of tools, and an agent calls a few.
 */
export class CompiledTool<E extends OfferedEndpoint> {
  readonly name: string
  readonly config: SnapshotTool
  readonly endpoint: E
  #parameters: readonly ToolParameter[] | undefined
  #listed: string | undefined
  #mark: string | undefined
  #check: CompiledCheck | string | undefined

  constructor(config: SnapshotTool, endpoint: E) {
    this.name = config.name
    this.config = config
    this.endpoint = endpoint
  }

  /** Without headers that the gateway sets itself: credentials and static headers are no arguments. */
  get parameters(): readonly ToolParameter[] {
    return (this.#parameters ??= this.config.parameters.filter(
      ({ in: place, name }) => place !== 'header' || isFree(this.endpoint, name.toLowerCase()),
    ))
  }

  /** As `tools/list` shows it, as JSON. */
  get listed(): string {
    return (this.#listed ??= this.#write())
  }

  /** Tells it apart from what it was before a change. */
  get mark(): string {
    return (this.#mark ??= hash('sha1', this.listed, 'base64'))
  }

  /** What its arguments have to fit; a text: why its schema can't be used. */
  get check(): CompiledCheck | string {
    return (this.#check ??= checkOf(this.#inputSchema()))
  }

  #write(): string {
    const { name, title, description, effect, answer_schema } = this.config
    const said = [description, ...limitsOf(this)].join(' ')
    const head = JSON.stringify({ name, title, description: said }).slice(0, -1)
    const output = answer_schema === '' ? '' : `,"outputSchema":${answer_schema}`
    const annotations = JSON.stringify({
      readOnlyHint: effect === 'read',
      destructiveHint: effect !== 'read',
      idempotentHint: effect !== 'submit',
      // What an upstream answers may come from anywhere.
      openWorldHint: true,
    })
    return `${head},"inputSchema":${this.#inputSchema()}${output},"annotations":${annotations}}`
  }

  /** JSON Schema 2020-12, self-contained. */
  #inputSchema(): string {
    const { body, defs } = this.config
    const properties = this.parameters.map(
      ({ argument, schema }) => `${JSON.stringify(argument)}:${schema}`,
    )
    const required = this.parameters
      .filter(({ is_required }) => is_required)
      .map(({ argument }) => argument)
    if (body !== null) {
      properties.push(`"body":${body.schema === '' ? textSchema(body.content_type) : body.schema}`)
      if (body.is_required) required.push('body')
    }
    return `{"type":"object","properties":{${properties.join()}},"required":${JSON.stringify(
      required,
    )},"additionalProperties":false${defs === '' ? '' : `,"$defs":${defs}`}}`
  }
}

function checkOf(schema: string): CompiledCheck | string {
  try {
    return jsonSchema().compileCheck(JSON.parse(schema) as object)
  } catch (error) {
    return (error as Error).message
  }
}

const limitWords = {
  token: (calls: string) => `Its API takes at most ${calls} from a caller.`,
  address: (calls: string) => `Its API takes at most ${calls} from an address.`,
  endpoint: (calls: string) => `It takes at most ${calls} from all callers together.`,
}

/** What its API limits, as agents read it: one that knows asks for less at once. */
function limitsOf({ config, endpoint }: CompiledTool<OfferedEndpoint>): string[] {
  const { rate_limit, max_body_bytes } = endpoint.api.config.policy
  const limits: string[] = []
  if (rate_limit) {
    const { requests, window_seconds, per } = rate_limit
    limits.push(limitWords[per](`${requests} calls in ${window_seconds} seconds`))
  }
  if (config.body !== null && max_body_bytes !== null)
    limits.push(`A body has at most ${max_body_bytes} bytes.`)
  return limits
}

const textSchema = (contentType: string) =>
  JSON.stringify({ type: 'string', description: `The body, as ${contentType}.` })

/** Whether a client may set this header of a call. */
const isFree = ({ api, fields }: OfferedEndpoint, name: string): boolean =>
  fieldKind(name) === 'pass' && name !== api.keyHeader && !(fields?.replaced.has(name) ?? false)
