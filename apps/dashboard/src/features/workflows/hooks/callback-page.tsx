import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../../entities/paths.ts'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import { useSaveForm } from '../../../lib/forms/use-save-form.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { FormFrame } from '../../../ui/form/form-frame.tsx'
import { FormLoader } from '../../../ui/form/form-loader.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import { OrNewSecret } from './new-secret.tsx'
import type { Workflow } from '../read-workflow.ts'
import { useSetCallback, workflowQueries } from '../workflow-queries.ts'
import { callbackMessages, workflowsMessages } from '../workflows-messages.ts'

/** Where the results of a workflow are sent, and the secret that signs them. */
export function CallbackPage() {
  const id = useRecordId()
  const query = useQuery(workflowQueries.one(id))
  const [secret, setSecret] = useState<string>()
  useThingName(query.data?.name, { part: 'Callback' })
  return (
    <Page title="Callback" {...(query.data ? { subtitle: `For ${query.data.name}` } : {})}>
      <OrNewSecret secret={secret} donePath={paths.workflow(id)}>
        <FormLoader
          query={query}
          failureText={workflowsMessages.notLoaded}
          thing={{ thing: 'workflow', id }}
        >
          {(workflow) => <CallbackForm workflow={workflow} onSecret={setSecret} />}
        </FormLoader>
      </OrNewSecret>
    </Page>
  )
}

interface CallbackFormProps {
  workflow: Workflow
  /** With the secret that a save has made. */
  onSecret: (secret: string) => void
}

function CallbackForm({ workflow, onSecret }: CallbackFormProps) {
  const { id, callback, version } = workflow
  const initialValues = { callback: { url: callback?.url ?? '', secret: '', new_secret: false } }
  const form = useForm({ mode: 'controlled', initialValues })
  const setCallback = useSetCallback(id).mutateAsync
  const { values } = form
  const isSecretMade = callback ? values.callback.new_secret : values.callback.secret === ''
  const path = paths.workflow(id)
  const saving = useSaveForm({
    form,
    initialValues,
    save: async (sent) => {
      const answer = await setCallback({ callback: sent.callback, version })
      const secret = answer.callback?.secret
      if (typeof secret === 'string') onSecret(secret)
    },
    texts: callbackMessages,
    // A new secret is shown once: the user leaves the form when it is copied.
    target: () => (isSecretMade ? null : path),
  })
  return (
    <FormFrame saving={saving} submitLabel="Save callback" cancelPath={path}>
      <FormCard title="Receiver">
        <TextInput
          label="URL"
          placeholder="https://erp.example.com/gatehouse"
          maxLength={2000}
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('callback.url')}
        />
      </FormCard>
      <FormCard
        title="Signature"
        {...(callback ? {} : { description: 'Leave it blank to have one made. It is shown once.' })}
      >
        <SecretField
          label="Secret"
          storedText="A secret is stored"
          isStored={callback !== null}
          value={values.callback.secret}
          onChange={(value) => form.setFieldValue('callback.secret', value)}
          error={form.errors['callback.secret']}
        />
        {callback && (
          <Checkbox
            label="Make a new secret. The one before signs too for 24 hours, to the same host."
            {...form.getInputProps('callback.new_secret', { type: 'checkbox' })}
          />
        )}
      </FormCard>
    </FormFrame>
  )
}
