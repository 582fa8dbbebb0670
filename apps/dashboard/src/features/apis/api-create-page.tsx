import { call } from '../../lib/call.ts'
import { Page } from '../../ui/page.tsx'
import { ApiForm } from './api-form.tsx'
import { newApiValues, toApiInput } from './api-form-values.ts'
import { apisMessages } from './apis-messages.ts'

export function ApiCreatePage() {
  return (
    <Page title="Create a New API" isNarrow>
      <ApiForm
        initialValues={newApiValues}
        save={(values) => call('POST /api/apis', { body: toApiInput(values) })}
        texts={{ ...apisMessages, saved: apisMessages.created }}
      />
    </Page>
  )
}
