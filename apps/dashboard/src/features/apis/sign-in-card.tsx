import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { StaticHeadersFields } from '../../entities/api/static-headers-fields.tsx'
import { partOf } from '../../lib/form-part.ts'
import { FormCard } from '../../ui/form-card.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { CredentialFields } from './credential-fields.tsx'
import { ProfileSelect } from './profile-select.tsx'
import type { SignInPlace } from './api-queries.ts'
import { SignInTest } from './sign-in-test.tsx'

interface SignInCardProps {
  form: ApiFormState
  /** Undefined while the API is new. */
  apiId: number | undefined
}

/** What calls show the upstream (spec: sign-in). */
export function SignInCard({ form, apiId }: SignInCardProps) {
  const part = partOf(form, 'credential')
  return (
    <FormCard
      title="Upstream sign-in"
      description="What calls show the upstream where a request brings no token itself."
    >
      <ProfileSelect form={form} isNew={apiId === undefined} />
      <CredentialFields
        name="Credential of the base URL"
        label="Kind of sign-in"
        noneLabel="None"
        part={part}
      />
      <SignInTestOf form={form} apiId={apiId} which="live" />
      <StaticHeadersFields form={form} description="Sent with every call, and not secret." />
    </FormCard>
  )
}

/** Where test runs go, and how they sign in there. */
export function TestUrlCard({ form, apiId }: SignInCardProps) {
  const id = useId()
  const part = partOf(form, 'test_credential')
  return (
    <FormCard
      title="Test base URL"
      labelFor={id}
      description="Test runs go here. Without one they send nothing and show what they would."
    >
      <TextInput id={id} type="url" {...form.getInputProps('test_api_url')} />
      {(form.values.test_api_url.trim() !== '' || part.values.kind !== '') && (
        <CredentialFields
          name="Credential of the test base URL"
          label="Sign-in at the test base URL"
          noneLabel="The same as for the base URL"
          part={part}
        />
      )}
      <SignInTestOf form={form} apiId={apiId} which="test" />
    </FormCard>
  )
}

/** What a test depends on: the credential, the TLS settings and the time-outs of the call. */
function SignInTestOf({ form, apiId, which }: SignInCardProps & { which: SignInPlace }) {
  const field = which === 'live' ? 'credential' : 'test_credential'
  const { kind, storedKind } = form.values[field]
  if (kind === '' && storedKind === '') return null
  const used = [field, 'tls', 'connect_timeout_ms', 'answer_timeout_ms']
  const isChanged = storedKind === '' || used.some((each) => form.isDirty(each))
  return <SignInTest apiId={apiId} which={which} isChanged={isChanged} />
}
