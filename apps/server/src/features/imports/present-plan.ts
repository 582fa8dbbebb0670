import type { ImportPreview } from '@gatehouse/contract'
import type { ImportedDocument } from './imported-document.ts'
import {
  actionOf,
  callersOf,
  keyOf,
  type PlannedExisting,
  type PlannedServer,
} from './plan-import.ts'

/** What the preview shows; never how a command signs in. */
export function presentPlan(
  document: ImportedDocument,
  planned: PlannedServer[],
  asked: Pick<ImportPreview, 'answer' | 'fetched'>,
): ImportPreview {
  const { format, version, title, notes, call } = document
  return {
    ...asked,
    call: call ? { query: call.query, body: call.body, content_type: call.contentType } : null,
    sign_in: call?.signIn?.kind ?? null,
    format,
    version,
    title,
    notes,
    apis: planned.map(({ server, url, freeName, operations, existing }) => ({
      key: server.key,
      name: freeName,
      api_url: url,
      description: server.description,
      operations: operations.map((operation) => {
        const { method, servers: _, validation: _v, ...shown } = operation
        return { ...shown, key: keyOf(operation), method_type: method }
      }),
      existing: existing.map(presentExisting),
    })),
  }
}

function presentExisting({ api, operations }: PlannedExisting) {
  const { id, name, api_access } = api
  return {
    id,
    name,
    api_access,
    operations: operations.map((planned) => ({
      key: planned.key,
      action: actionOf(planned),
      changes: planned.changes,
      endpoint_id: planned.endpoint?.id ?? null,
      ...callersOf(planned, api),
    })),
  }
}
