import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiDraft } from '../../../entities/api/api-draft.ts'
import { FormLoader } from '../../../ui/form/form-loader.tsx'
import { ApiForm } from './api-form.tsx'
import { toApiInput, toApiValues } from './api-form-values.ts'
import classes from '../api-page.module.css'
import { apiQueries, useUpdateApi } from '../api-queries.ts'
import { apisMessages } from '../apis-messages.ts'
import { RegisterChangeDialog } from '../register/register-change-dialog.tsx'
import { useRegisterChange } from '../register/use-register-change.ts'
import { ProcedureContractPanel } from '../procedures/procedure-contract-panel.tsx'

/** The form of an API on its page. */
export function ApiSettings({ apiId, draft }: { apiId: number; draft?: ApiDraft }) {
  const query = useQuery(apiQueries.edit(apiId))
  const update = useUpdateApi(apiId)
  const { question, confirming } = useRegisterChange()
  return (
    <div className={classes['settings']}>
      <Title order={3} className={classes['heading'] ?? ''}>
        {`Edit ${query.data?.name ?? ''}`.trim()}
      </Title>
      {query.data?.api_protocol === 'stored_procedure' && <ProcedureContractPanel apiId={apiId} />}
      <FormLoader
        query={query}
        failureText={apisMessages.notLoaded}
        thing={{ thing: 'api', id: apiId }}
      >
        {(api) => (
          <ApiForm
            apiId={apiId}
            submitLabel="Save"
            initialValues={toApiValues(api)}
            isPasswordStored={api.has_password}
            save={(values) =>
              confirming((confirmed) =>
                update({ ...toApiInput(values), ...confirmed, version: api.version }),
              )
            }
            texts={{ ...apisMessages, saved: apisMessages.updated }}
            draft={draft}
            version={api.version}
          />
        )}
      </FormLoader>
      {question && <RegisterChangeDialog question={question} />}
    </div>
  )
}
