import type { EndpointValidation } from '@gatehouse/contract'
import { movedSchema } from '../../kernel/http/moved-schema.ts'
import { schemaOf as schemaOfType } from '../../kernel/http/parameter-schema.ts'

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
    if (checked === undefined) return declaredSchema(type, description)
    const described = description === '' ? {} : { description }
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

/** A format that no check knows would make the whole schema unusable: it goes into the words. */
function declaredSchema(type: string, description: string): object {
  const { format, items, ...schema } = schemaOfType(type)
  const words = [description, ...(typeof format === 'string' ? [`Format: ${format}.`] : [])]
  const text = words.filter((each) => each !== '').join(' ')
  const isList = schema['type'] === 'array'
  return {
    ...(text === '' ? {} : { description: text }),
    ...schema,
    ...(isList ? { items: withoutFormat(items) } : {}),
  }
}

function withoutFormat(items: unknown): object {
  const { format: _, items: inner, ...rest } = (items ?? {}) as Record<string, unknown>
  return inner === undefined ? rest : { ...rest, items: withoutFormat(inner) }
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
