import type { EndpointValidation } from '@gatehouse/contract'
import { movedSchema } from '../../kernel/moved-schema.ts'
import { schemaOf as schemaOfType } from '../../kernel/parameter-schema.ts'

export interface ToolArgument {
  argument: string
  in: 'path' | 'query' | 'header' | 'form'
  name: string
  is_required: boolean
  type: string
  description: string
}

const placeOfParameters = '#/$defs/parameters'

/**
 * The schemas of a tool's arguments: as the endpoint checks them, else by their declared types. `defs` is what they
 * refer to.
 */
export function parameterSchemas({ parameters_schema }: EndpointValidation) {
  const whole = parameters_schema === '' ? {} : (JSON.parse(parameters_schema) as Parts)
  let isReferred = false
  const schemaOf = ({ in: place, name, type, description }: ToolArgument): object => {
    const checked = ofPlace(whole, place, name)
    const described = description === '' ? {} : { description }
    if (checked === undefined) return { ...described, ...schemaOfType(type) }
    if (JSON.stringify(checked).includes('"$ref"')) isReferred = true
    return { ...described, ...plainSchema(checked, placeOfParameters) }
  }
  return {
    schemaOf,
    /** To be read once all arguments are known. */
    get defs(): string {
      return isReferred ? JSON.stringify({ parameters: plainSchema(whole, placeOfParameters) }) : ''
    },
  }
}

interface Parts {
  properties?: Record<string, { properties?: Record<string, unknown> } | undefined>
}

const partOf = { path: 'path', query: 'query', header: 'headers', form: undefined } as const

function ofPlace(
  { properties }: Parts,
  place: ToolArgument['in'],
  name: string,
): object | undefined {
  const part = partOf[place]
  const known = part === undefined ? undefined : properties?.[part]?.properties
  const key = place === 'header' ? name.toLowerCase() : name
  if (known === undefined || !Object.hasOwn(known, key)) return undefined
  const schema = known[key]
  return typeof schema === 'object' && schema !== null ? schema : {}
}

/** A schema as a part of another one: without what names it as a document. */
export function plainSchema(schema: unknown, place: string): Record<string, unknown> {
  const {
    $id: _id,
    $schema: _schema,
    ...rest
  } = movedSchema(schema, place) as Record<string, unknown>
  return rest
}
