import type { FileAnswer, OpenApiFormat } from '@gatehouse/contract'
import { stringify } from 'yaml'
import type { DocumentedApis } from './served-docs.ts'
import { writeOpenApi } from './write-open-api.ts'

const types = { yaml: 'application/yaml; charset=utf-8', json: 'application/json; charset=utf-8' }

/** See `writeOpenApi`. Equal docs give equal bytes. */
export function openApiFile(
  docs: DocumentedApis,
  format: OpenApiFormat,
  isOneApi: boolean,
): FileAnswer {
  const document = writeOpenApi(docs, isOneApi)
  const text =
    format === 'json'
      ? `${JSON.stringify(document, null, 2)}\n`
      : stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
  return { type: types[format], name: `openapi.${format}`, body: Buffer.from(text) }
}
