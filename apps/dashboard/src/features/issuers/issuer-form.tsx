import { MultiSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { paths } from '../../entities/paths.ts'
import { ClaimedRoles, type GivenRole } from '../../entities/role/claimed-roles.tsx'
import { partOf } from '../../lib/forms/form-part.ts'
import { literal } from '../../lib/forms/literal-field.ts'
import { useSaveForm, type SaveTexts } from '../../lib/forms/use-save-form.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { RadioChoice } from '../../ui/form/radio-choice.tsx'
import { algorithmWords, type IssuerForm as Form, type IssuerValues } from './issuer-values.ts'

interface IssuerFormProps {
  initialValues: IssuerValues
  roles: readonly GivenRole[]
  save: (values: IssuerValues) => Promise<{ issuer: { id: number } }>
  texts: SaveTexts
  submitLabel: string
  /** What is known of the keys in force; absent while it is new. */
  keys?: ReactNode
}

/** Whose JWTs count, by which keys, and what they may call. */
export function IssuerForm(props: IssuerFormProps) {
  const { initialValues, roles, save, texts, submitLabel, keys } = props
  const form = useForm<IssuerValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    target: keys === undefined ? ({ issuer }) => paths.tokenIssuerEdit(issuer.id) : undefined,
  })
  return (
    <FormFrame saving={saving} submitLabel={submitLabel} cancelPath={paths.tokenIssuers}>
      <FormCard title="Issuer">
        <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
        <Switch
          label="Its tokens are accepted"
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
        <TextInput
          label="Issuer"
          description="The claim iss of its tokens, letter by letter."
          placeholder="https://login.example.com/tenant"
          withAsterisk
          {...literal(form, 'issuer')}
        />
        <TextInput
          label="Audience"
          description="Has to be in the claim aud: tokens for other services are refused."
          withAsterisk
          {...literal(form, 'audience')}
        />
      </FormCard>
      <KeysCard form={form}>{keys}</KeysCard>
      <ClaimedRoles
        description="A token may call what these roles may call. Without one of these values it may call nothing."
        roles={roles}
        part={partOf(form, 'roles')}
        problem={form.errors['roles']}
        claim={literal(form, 'role_claim')}
      />
    </FormFrame>
  )
}

function KeysCard({ form, children }: { form: Form; children: ReactNode }) {
  return (
    <FormCard title="Keys" description="A token counts if one of these public keys has signed it.">
      <RadioChoice
        label="Where the keys are"
        choices={[
          { value: 'address', label: 'At an address' },
          { value: 'text', label: 'Typed in here' },
        ]}
        {...form.getInputProps('keys_from')}
      />
      {form.values.keys_from === 'address' ? (
        <TextInput
          label="Address of the keys"
          description="A JWK set. It is fetched every five minutes, and when a token names a new key."
          placeholder="https://login.example.com/tenant/keys"
          {...literal(form, 'jwks_url')}
        />
      ) : (
        <Textarea
          label="Public keys"
          description="A JWK set, or public keys or certificates in PEM."
          autosize
          minRows={5}
          maxRows={16}
          {...literal(form, 'jwks')}
        />
      )}
      {children}
      <MultiSelect
        label="Algorithms"
        description="Those that it signs with. Any other is refused."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={Object.entries(algorithmWords).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('algorithms')}
      />
      <NumberInput
        label="Clock skew in seconds"
        description="How far its clock and ours may differ."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={0}
        max={300}
        allowDecimal={false}
        w={220}
        {...form.getInputProps('skew_seconds')}
      />
    </FormCard>
  )
}
