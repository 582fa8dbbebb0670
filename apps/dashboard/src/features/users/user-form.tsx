import { MultiSelect, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { RoleOption } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useSaveForm, type SaveTexts } from '../../lib/forms/use-save-form.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { toRoleChoices, type UserFormValues } from './user-form-values.ts'
import { neededField } from '../../ui/form/field-looks.ts'

interface UserFormProps {
  initialValues: UserFormValues
  roles: RoleOption[]
  /** Create asks for a username and a password; edit keeps both unless a new password is typed. */
  isNew?: boolean
  /** New users can be invited by e-mail. */
  mayInvite?: boolean
  /** Why the roles can't be changed. */
  rolesLocked?: string | undefined
  /** The signed-in user's own account: its email and password change only with the current password. */
  isOwn?: boolean
  save: (values: UserFormValues) => Promise<{ id: number }>
  texts: SaveTexts
}

type UserFormState = UseFormReturnType<UserFormValues>

/** User-edit. The button reads alike on both (spec: user-create). */
export function UserForm(props: UserFormProps) {
  const {
    initialValues,
    roles,
    isNew = false,
    isOwn = false,
    mayInvite = false,
    rolesLocked,
    save,
    texts,
  } = props
  const form = useForm<UserFormValues>({ mode: 'controlled', initialValues })
  // Users are closed to those who may only create them.
  const canView = useCan()('user.view')
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    target: isNew ? ({ id }) => (canView ? paths.userEdit(id) : paths.home) : undefined,
  })
  return (
    <FormFrame
      saving={saving}
      submitLabel="Save User"
      cancelPath={canView ? paths.users : paths.home}
    >
      <FormCard title="User">
        <TextInput
          label="User Name"
          {...neededField}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label="User Email"
          {...neededField}
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {mayInvite && (
          <Switch
            label="Send an invitation"
            description="The user chooses the password by a link that comes by e-mail, within 7 days."
            {...form.getInputProps('sends_invitation', { type: 'checkbox' })}
          />
        )}
        {!form.values.sends_invitation && <PasswordFields form={form} isNew={isNew} />}
        {isOwn && <CurrentPasswordField form={form} />}
        {isNew && (
          <TextInput
            label="Username"
            {...neededField}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('username')}
          />
        )}
        <MultiSelect
          label="Assign Roles"
          {...neededField}
          description={rolesLocked}
          data={toRoleChoices(roles)}
          searchable
          hidePickedOptions
          // Upwards: downwards it would cover the button that saves.
          comboboxProps={{ withinPortal: false, position: 'top' }}
          disabled={rolesLocked !== undefined}
          placeholder={form.values.roles.length === 0 ? 'Choose one or more roles' : ''}
          nothingFoundMessage="No other role of that name"
          {...form.getInputProps('roles')}
        />
      </FormCard>
    </FormFrame>
  )
}

function CurrentPasswordField({ form }: { form: UserFormState }) {
  return (
    <PasswordField
      label="Current Password"
      description="Needed to change your own email or password."
      autoComplete="current-password"
      {...form.getInputProps('current_password')}
    />
  )
}

function PasswordFields({ form, isNew }: { form: UserFormState; isNew: boolean }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <PasswordField
        label="Password"
        {...(isNew ? neededField : {})}
        description={isNew ? 'At least 12 characters.' : 'Blank keeps the present one.'}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordField
        label="Confirm Password"
        {...(isNew ? neededField : {})}
        description={isNew ? 'The same once more.' : 'A new one ends their sessions.'}
        autoComplete="new-password"
        {...form.getInputProps('password_confirmation')}
      />
    </SimpleGrid>
  )
}
