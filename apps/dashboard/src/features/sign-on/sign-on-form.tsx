import { Code, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { paths } from '../../entities/paths.ts'
import { ClaimedRoles, type GivenRole } from '../../entities/role/claimed-roles.tsx'
import { partOf } from '../../lib/forms/form-part.ts'
import { literal } from '../../lib/forms/literal-field.ts'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { signOnMessages } from './sign-on-messages.ts'
import type { SignOnValues } from './sign-on-values.ts'

interface SignOnFormProps {
  initialValues: SignOnValues
  hasSecret: boolean
  roles: readonly GivenRole[]
  save: (values: SignOnValues) => Promise<unknown>
}

/** Whom administrators sign in with, and which roles that gives them. */
export function SignOnForm({ initialValues, hasSecret, roles, save }: SignOnFormProps) {
  const form = useForm<SignOnValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({ form, initialValues, save, texts: signOnMessages.update })
  return (
    <FormFrame saving={saving} submitLabel="Save provider" cancelPath={paths.users}>
      <ProviderCard form={form} hasSecret={hasSecret} />
      <ClaimedRoles
        description="What new users of the provider may do. Their roles are brought up to date each time they sign in; without one of these values they may not."
        roles={roles}
        part={partOf(form, 'roles')}
        problem={form.errors['roles']}
        claim={literal(form, 'role_claim')}
      />
      <FormCard title="Sign-in and logout">
        <Switch
          label="People who are not known here get a user"
          description="Without it, a user with the same e-mail address has to be there first."
          {...form.getInputProps('creates_users', { type: 'checkbox' })}
        />
        <Switch
          label="A logout here leads to the logout of the provider"
          {...form.getInputProps('signs_out', { type: 'checkbox' })}
        />
      </FormCard>
    </FormFrame>
  )
}

function ProviderCard({
  form,
  hasSecret,
}: {
  form: UseFormReturnType<SignOnValues>
  hasSecret: boolean
}) {
  return (
    <FormCard title="Provider">
      <Switch
        label="The login page offers it"
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
      <TextInput
        label="Name"
        description="The login page says: Sign in with …"
        withAsterisk
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Issuer"
        description="As the provider writes it. What is known of it is fetched from there."
        placeholder="https://login.example.com/tenant"
        withAsterisk
        {...literal(form, 'issuer')}
      />
      <TextInput label="Client ID" withAsterisk {...literal(form, 'client_id')} />
      <PasswordInput
        label="Client secret"
        description={
          hasSecret ? 'Blank keeps the stored one.' : 'Blank where the provider gives none.'
        }
        autoComplete="off"
        {...form.getInputProps('client_secret')}
      />
      <TextInput
        label="Scopes"
        description="With spaces between. Some providers send groups for a scope of their own only."
        {...literal(form, 'scopes')}
      />
      <RedirectAddress />
    </FormCard>
  )
}

/** What the provider has to be told. */
function RedirectAddress() {
  const address = `${location.origin}${paths.login}`
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" fw={500}>
        Redirect address
      </Text>
      <Text size="xs" c="dimmed">
        Enter it at the provider, for sign-in and for logout.
      </Text>
      <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
        {address}
      </Code>
      <CopyButton text={address} label="Copy" description="the redirect address" />
    </Stack>
  )
}
