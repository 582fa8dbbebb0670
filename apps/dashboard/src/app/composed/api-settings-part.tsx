import { useState } from 'react'
import { ApiDraft } from '../../entities/api/api-draft.ts'
import { ApiSettings } from '../../features/apis/form/api-settings.tsx'
import { TryApiPanel } from '../../features/try-it/try-api-panel.tsx'
import { useCan } from '../../lib/session/session.tsx'

/** The form of an API, and below it a request with what the form holds. */
export function ApiSettingsPart({ apiId }: { apiId: number }) {
  const can = useCan()
  const [draft] = useState(() => new ApiDraft())
  return (
    <>
      <ApiSettings apiId={apiId} draft={draft} />
      {can('request.send') && can('endpoint.view') && <TryApiPanel apiId={apiId} draft={draft} />}
    </>
  )
}
