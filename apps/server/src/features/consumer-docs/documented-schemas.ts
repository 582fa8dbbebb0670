import type { EndpointValidation } from '@gatehouse/contract'
import { movedSchema } from '../../kernel/http/moved-schema.ts'

type Schema = Record<string, unknown>

/** The schemas that an endpoint is held against, as components of an OpenAPI document. */
export class DocumentedSchemas {
  readonly #components: Record<string, object>

  constructor(components: Record<string, object>) {
    this.#components = components
  }

  /** Adds a schema under this name; a reference to it, or undefined where the text is blank. */
  add(name: string, text: string): { $ref: string } | undefined {
    if (text === '') return undefined
    const place = `#/components/schemas/${name}`
    this.#components[name] = movedSchema(JSON.parse(text), place) as object
    return { $ref: place }
  }

  /** References to the schemas of parameters, by place and name. */
  addParameters(name: string, { parameters_schema }: EndpointValidation) {
    const { properties = {} } = JSON.parse(parameters_schema || '{}') as {
      properties?: Record<string, { properties?: Schema }>
    }
    return (place: string, parameter: string): { $ref: string } | undefined => {
      const part = place === 'header' ? 'headers' : place
      const key = place === 'header' ? parameter.toLowerCase() : parameter
      if (!Object.hasOwn(properties[part]?.properties ?? {}, key)) return undefined
      // A schema that no parameter refers to is no part of the document.
      const whole = this.add(name, parameters_schema)
      if (!whole) return undefined
      const pointer = key.replaceAll('~', '~0').replaceAll('/', '~1')
      return { $ref: `${whole.$ref}/properties/${part}/properties/${encodeURIComponent(pointer)}` }
    }
  }
}
