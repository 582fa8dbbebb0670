import { Select, TextInput } from '@mantine/core'
import { useId } from 'react'
import { StaticHeadersFields } from '../../entities/api/static-headers-fields.tsx'
import { partOf } from '../../lib/form-part.ts'
import { FormCard } from '../../ui/form-card.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { CredentialFields } from './credential-fields.tsx'
import { signInProfiles } from './sign-in-profiles.ts'
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
      <ProfileSelect form={form} />
      <CredentialFields label="Kind of sign-in" noneLabel="None" part={part} />
      {apiId !== undefined && part.values.storedKind !== '' && (
        <SignInTest apiId={apiId} which="live" isChanged={form.isDirty('credential')} />
      )}
      <StaticHeadersFields form={form} description="Sent with every call, and not secret." />
    </FormCard>
  )
}

const profileChoices = Object.entries(signInProfiles).map(([value, { label }]) => ({
  value,
  label,
}))

/** Fills in kind and headers. What is secret stays to be typed. */
function ProfileSelect({ form }: { form: ApiFormState }) {
  function handleChoice(name: string | null) {
    const profile = signInProfiles[name ?? '']
    if (!profile) return
    form.setFieldValue('credential', { ...form.values.credential, ...profile.credential })
    if (profile.staticHeaders) form.setFieldValue('static_headers', profile.staticHeaders)
  }
  return (
    <Select
      label="Fill in for"
      placeholder="Choose an authority"
      data={profileChoices}
      value={null}
      onChange={handleChoice}
    />
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
          label="Sign-in at the test base URL"
          noneLabel="The same as for the base URL"
          part={part}
        />
      )}
      {apiId !== undefined && part.values.storedKind !== '' && (
        <SignInTest apiId={apiId} which="test" isChanged={form.isDirty('test_credential')} />
      )}
    </FormCard>
  )
}
