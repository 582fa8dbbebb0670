import { Stack, TextInput } from '@mantine/core'
import { StaticHeadersFields } from '../../../entities/api/static-headers-fields.tsx'
import { partOf } from '../../../lib/forms/form-part.ts'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { CredentialFields } from './credential-fields.tsx'
import { ProfileSelect } from '../form/profile-select.tsx'
import type { SignInPlace } from '../api-queries.ts'
import { SignInTest } from './sign-in-test.tsx'

interface SignInSectionProps {
  form: ApiFormState
  /** Undefined while the API is new. */
  apiId: number | undefined
}

/** What calls show the upstream (spec: sign-in). */
export function SignInSection({ form, apiId }: SignInSectionProps) {
  const part = partOf(form, 'credential')
  return (
    <FormSection
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
    </FormSection>
  )
}

/** Where test runs go, and how they sign in there. */
export function TestUrlSection({ form, apiId }: SignInSectionProps) {
  const part = partOf(form, 'test_credential')
  const hasErrors = Object.keys(form.errors).some((field) => field.startsWith('test_'))
  return (
    <Disclosure
      title="Test base URL"
      note={noteOf(form.values.test_api_url)}
      isOpenWhen={form.isDirty('test_api_url') || hasErrors}
      isInCard
    >
      <Stack gap="md">
        <TextInput aria-label="Test base URL" type="url" {...form.getInputProps('test_api_url')} />
        {(form.values.test_api_url.trim() !== '' || part.values.kind !== '') && (
          <CredentialFields
            name="Credential of the test base URL"
            label="Sign-in at the test base URL"
            noneLabel="The same as for the base URL"
            part={part}
          />
        )}
        <SignInTestOf form={form} apiId={apiId} which="test" />
      </Stack>
    </Disclosure>
  )
}

const noteOf = (url: string) =>
  url.trim() === ''
    ? 'None: test runs send nothing and show what they would.'
    : `Test runs go to ${url.trim()}`

/** What a test depends on: the credential, the TLS settings and the time-outs of the call. */
function SignInTestOf({ form, apiId, which }: SignInSectionProps & { which: SignInPlace }) {
  const field = which === 'live' ? 'credential' : 'test_credential'
  const { kind, storedKind } = form.values[field]
  if (kind === '' && storedKind === '') return null
  const used = [field, 'tls', 'connect_timeout_ms', 'answer_timeout_ms']
  const isChanged = storedKind === '' || used.some((each) => form.isDirty(each))
  return <SignInTest apiId={apiId} which={which} isChanged={isChanged} />
}
