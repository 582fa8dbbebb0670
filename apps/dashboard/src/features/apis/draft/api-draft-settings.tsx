import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../../ui/form/form-loader.tsx'
import { Notice } from '../../../ui/page/notice.tsx'
import { ApiForm } from '../form/api-form.tsx'
import { toApiInput, toApiValues, type ApiFormValues } from '../form/api-form-values.ts'
import classes from '../api-page.module.css'
import { apisMessages } from '../apis-messages.ts'
import { DraftPanel } from './draft-panel.tsx'
import { draftQuery, saveDraft, type ApiWithDraft } from './draft-queries.ts'

const texts = {
  saved: { text: 'Draft saved successfully!' },
  invalid: apisMessages.invalid,
  notSaved: { text: 'Failed to save the draft.' },
} as const

/** The draft of an API on its page: what is served to its tokens, and the form that changes it. */
export function ApiDraftSettings({ apiId }: { apiId: number }) {
  const query = useQuery(draftQuery(apiId))
  return (
    <FormLoader query={query} failureText="Unable to fetch the draft.">
      {(loaded) =>
        loaded.api.api_protocol === 'http' ? (
          <DraftForm apiId={apiId} loaded={loaded} />
        ) : (
          <Notice title="Only an API over HTTP can have a draft." />
        )
      }
    </FormLoader>
  )
}

interface DraftFormProps {
  apiId: number
  loaded: ApiWithDraft
}

function DraftForm({ apiId, loaded: { api, draft } }: DraftFormProps) {
  const save = (values: ApiFormValues) =>
    saveDraft(apiId, {
      ...toApiInput(values),
      draft_tokens: values.draft_tokens.map(Number),
      draft_version: draft?.version ?? 0,
    })
  const initialValues = {
    ...toApiValues(draft?.settings ?? api),
    // The API may have been renamed since.
    name: api.name,
    draft_tokens: (draft?.tokens ?? []).map(String),
  }
  return (
    <div className={classes['settings']}>
      {draft ? (
        <DraftPanel apiId={apiId} api={api} draft={draft} />
      ) : (
        <Text size="sm">
          A draft is served to the personal tokens that you choose, and to nobody else, until you
          publish or discard it. It begins with the settings in force.
        </Text>
      )}
      <ApiForm
        apiId={apiId}
        initialValues={initialValues}
        isOfDraft
        submitLabel="Save draft"
        save={save}
        texts={texts}
      />
    </div>
  )
}
