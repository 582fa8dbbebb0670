import { Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { CredentialKind } from '@gatehouse/contract/credential'
import { partIn, type FormPart } from '../../../lib/forms/form-part.ts'
import { Fold } from '../../../ui/page/fold.tsx'
import { NamedValues, storedText } from '../../../ui/text/named-values.tsx'
import { PasswordField } from '../../../ui/form/password-field.tsx'
import { isSecretStored, type CredentialDraft } from './credential-draft.ts'
import { credentialKindFields, type CredentialField } from './credential-field-list.ts'
import { RefusedWhenFields } from './refused-when-fields.tsx'

export const credentialKinds = Object.entries(credentialKindFields).map(([value, { label }]) => ({
  value,
  label,
}))

interface CredentialFieldsProps {
  /** Tells the fields of two credentials apart, for screen readers. */
  name: string
  label: string
  /** What no credential means here. */
  noneLabel: string
  part: FormPart<CredentialDraft>
}

/** The kind of a credential, and the fields that this kind needs. */
export function CredentialFields({ name, label, noneLabel, part }: CredentialFieldsProps) {
  const { kind } = part.values
  return (
    <Stack component="fieldset" gap="sm" aria-label={name} {...plain}>
      <Select
        label={label}
        data={[{ value: '', label: noneLabel }, ...credentialKinds]}
        allowDeselect={false}
        data-path={part.pathOf('kind')}
        value={kind}
        onChange={(chosen) => part.set('kind', chosen ?? '')}
        error={part.errorOf('kind')}
      />
      {kind !== '' && <KindFields key={kind} kind={kind} part={part} />}
    </Stack>
  )
}

/** A fieldset that looks like any other group. */
const plain = { m: 0, p: 0, miw: 0, bd: 0 } as const

function KindFields({ kind, part }: { kind: CredentialKind; part: FormPart<CredentialDraft> }) {
  const { fields, more } = credentialKindFields[kind]
  const isUsed = more.some(({ field }) => part.values[field].length > 0 && !isUsual(part, field))
  return (
    <>
      <FieldGrid fields={fields} part={part} />
      {more.length > 0 && (
        <Fold
          title="More"
          isInitiallyOpen={isUsed}
          isOpenWhen={more.some(({ field }) => part.hasErrorIn(field))}
        >
          <FieldGrid fields={more} part={part} />
        </Fold>
      )}
      <RefusedWhenFields kind={kind} part={partIn(part, 'refused_when')} />
    </>
  )
}

/** What the server fills in where the field is blank. */
const isUsual = ({ values }: FormPart<CredentialDraft>, field: string) =>
  field === 'scheme' && values.scheme === 'Bearer'

interface FieldGridProps {
  fields: readonly CredentialField[]
  part: FormPart<CredentialDraft>
}

function FieldGrid({ fields, part }: FieldGridProps) {
  const shown = fields.filter(({ isShown }) => isShown === undefined || isShown(part.values))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {shown.map((each) => (
        <div key={each.field} style={isWide(each) ? { gridColumn: '1 / -1' } : {}}>
          <Field each={each} part={part} />
        </div>
      ))}
    </SimpleGrid>
  )
}

const isWide = (each: CredentialField) =>
  each.isWide === true || each.input === 'values' || each.input === 'secret_values'

function Field({ each, part }: { each: CredentialField; part: FormPart<CredentialDraft> }) {
  const { label, description, field } = each
  if ('noun' in each) {
    return (
      <NamedValues
        label={label}
        {...(description === undefined ? {} : { description })}
        path={part.pathOf(field)}
        noun={each.noun}
        max={each.max}
        isSecret={each.input === 'secret_values'}
        rows={rowsOf(part.values, each.field)}
        errorOf={(inside) => part.errorOf(`${field}.${inside}`)}
        onField={(inside, value) => part.set(`${field}.${inside}`, value)}
        onAdd={(row) => part.append(field, row)}
        onRemove={(at) => part.remove(field, at)}
      />
    )
  }
  const common = {
    'data-path': part.pathOf(field),
    label,
    description,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    error: part.errorOf(field),
  }
  const value = part.values[each.field]
  if (each.input === 'choice') {
    return (
      <Select
        {...common}
        value={value}
        data={each.choices}
        allowDeselect={false}
        onChange={(chosen) => part.set(field, chosen ?? '')}
      />
    )
  }
  const isStored = isSecretStored(part.values, field)
  const typing = {
    ...common,
    value,
    placeholder: isStored ? storedText : each.placeholder,
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      part.set(field, event.currentTarget.value),
  }
  if (each.input === 'secret_text') {
    return (
      <Textarea
        {...typing}
        rows={4}
        resize="vertical"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    )
  }
  return each.input === 'secret' ? (
    <PasswordField {...typing} autoComplete="new-password" />
  ) : (
    <TextInput {...typing} autoComplete="off" />
  )
}

/** A kept secret is that of the kind that is stored; other kinds have none. */
function rowsOf(
  draft: CredentialDraft,
  field: 'headers' | 'body_fields' | 'login_headers' | 'send_as',
) {
  if (draft.kind === draft.storedKind) return draft[field]
  return draft[field].map(({ name, value }) => ({ name, value }))
}
