import type { EndpointParameter, EndpointValidation, SnapshotTool } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { plainSchema } from './tool-schemas.ts'

const withoutBody = new Set<Row<'endpoint'>['method_type']>(['get', 'head', 'delete'])

/** The body that a call takes beside its parameters; null: none, or a form. */
export function bodyOf(
  method: Row<'endpoint'>['method_type'],
  parameters: readonly EndpointParameter[],
  { body_schema, is_body_required }: EndpointValidation,
): SnapshotTool['body'] {
  const declared = parameters.find((each) => each.in === 'body')
  const isForm = parameters.some((each) => each.in === 'form')
  if (body_schema === '' && !declared && (isForm || withoutBody.has(method))) return null
  const is_required = is_body_required || (declared?.is_required ?? false)
  const types = (declared?.type ?? '').split(', ').filter((type) => type.includes('/'))
  const isJson = types.length === 0 || types.some((type) => /json|\*\/\*/i.test(type))
  if (body_schema === '' && !isJson)
    return { is_required, content_type: types[0] ?? 'text/plain', schema: '' }
  const schema = plainSchema(body_schema === '' ? {} : JSON.parse(body_schema), '#/properties/body')
  const described = declared?.description
    ? { description: declared.description, ...schema }
    : schema
  return { is_required, content_type: 'application/json', schema: JSON.stringify(described) }
}
