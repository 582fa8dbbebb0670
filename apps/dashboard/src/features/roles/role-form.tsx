import { Alert, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { IconLock } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import type { RoleForm as RoleFormData } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { useSaveForm, type SaveTexts } from '../../lib/forms/use-save-form.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { toGroups, type Chosen } from '../../entities/permission/permission-choice.ts'
import type { PermissionPreset } from '../../entities/permission/permission-presets.ts'
import { PermissionPicker } from '../../entities/permission/permission-picker.tsx'
import { RolePresets } from './role-presets.tsx'
import { RoleSees } from './role-sees.tsx'
import { neededField } from '../../ui/form/field-looks.ts'

interface RoleFormValues {
  [field: string]: string | string[] | boolean
  name: string
  /** In the order of the catalogue, so that setting and clearing again is no change. */
  permissions: string[]
  needs_second_factor: boolean
  /** One in a line. */
  allowed_addresses: string
}

interface RoleFormProps {
  data: RoleFormData
  name: string
  needsSecondFactor?: boolean
  allowedAddresses?: readonly string[]
  /** Of a locked role, this alone may be changed. */
  mayRequireSecondFactor?: boolean
  /** Why the role can't be changed: then it is only shown. */
  locked?: string | undefined
  submitLabel: string
  isNew?: boolean
  save: (values: RoleFormValues) => Promise<{ id: number }>
  texts: SaveTexts
}

/** spec: role-edit. */
export function RoleForm(props: RoleFormProps) {
  const { data, name, locked, submitLabel, save, texts, isNew = false } = props
  const { needsSecondFactor = false, mayRequireSecondFactor = false } = props
  const { allowedAddresses = [] } = props
  const order = useMemo(() => data.allPermissions.map((permission) => permission.name), [data])
  const initialValues = {
    name,
    permissions: inOrder(order, new Set(data.rolePermissions)),
    needs_second_factor: needsSecondFactor,
    allowed_addresses: allowedAddresses.join('\n'),
  }
  const form = useForm<RoleFormValues>({ mode: 'controlled', initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save,
    texts,
    target: isNew ? ({ id }) => paths.roleEdit(id) : undefined,
  })
  const isLocked = locked !== undefined
  const fields = (
    <>
      {isLocked && (
        <Alert color="gray" icon={<IconLock size={18} />}>
          {serverWords(locked)}
        </Alert>
      )}
      <RoleFields
        form={form}
        data={data}
        order={order}
        isLocked={isLocked}
        isSecondFactorLocked={isLocked && !mayRequireSecondFactor}
        isNew={isNew}
      />
    </>
  )
  if (isLocked && !mayRequireSecondFactor) return <Stack gap="md">{fields}</Stack>
  return (
    <FormFrame
      saving={saving}
      submitLabel={isLocked ? 'Save second factor' : submitLabel}
      cancelPath={paths.roles}
      aside={<RoleSees chosen={new Set(form.values.permissions)} />}
    >
      {fields}
    </FormFrame>
  )
}

interface RoleFieldsProps {
  form: UseFormReturnType<RoleFormValues>
  data: RoleFormData
  order: readonly string[]
  isLocked: boolean
  isSecondFactorLocked: boolean
  isNew: boolean
}

const none: Chosen = new Set()

function RoleFields(props: RoleFieldsProps) {
  const { form, data, order, isLocked, isSecondFactorLocked, isNew } = props
  const { setFieldValue, values, errors } = form
  const groups = useMemo(() => toGroups(data), [data])
  const grantable = useMemo(() => new Set(data.grantable), [data])
  const chosen = useMemo(() => new Set(values.permissions), [values.permissions])
  const handleChange = useCallback(
    (change: (chosen: Chosen) => Chosen) =>
      setFieldValue('permissions', (names: string[]) => inOrder(order, change(new Set(names)))),
    [setFieldValue, order],
  )
  const problem = errors['permissions']

  /** What the user may not grant stays as it is. A role that has no name yet is called as the preset. */
  function handlePreset({ label, permissions }: PermissionPreset) {
    const kept = values.permissions.filter((name) => !grantable.has(name))
    setFieldValue('permissions', inOrder(order, new Set([...kept, ...permissions])))
    if (isNew && values.name.trim() === '') setFieldValue('name', label)
  }
  return (
    <>
      <FormCard title="Role">
        <TextInput
          label="Role Name"
          {...neededField}
          placeholder="Enter a Role Name"
          readOnly={isLocked}
          {...form.getInputProps('name')}
        />
        <Switch
          label="Everybody with this role signs in with a second factor"
          description="Users who have none set one up at their next login."
          disabled={isSecondFactorLocked}
          {...form.getInputProps('needs_second_factor', { type: 'checkbox' })}
        />
        <Textarea
          label="Addresses at the gateway"
          description="Addresses from which clients may call with this role, such as 203.0.113.7 or 10.0.0.0/8, one in a line. Blank: any address."
          autosize
          minRows={2}
          spellCheck={false}
          dir="ltr"
          readOnly={isLocked}
          {...form.getInputProps('allowed_addresses')}
        />
      </FormCard>
      <FormCard title="Permissions">
        {!isLocked && <RolePresets chosen={chosen} grantable={grantable} onChoose={handlePreset} />}
        <PermissionPicker
          groups={groups}
          chosen={chosen}
          grantable={isLocked ? none : grantable}
          reason={
            isLocked
              ? 'This role is only shown.'
              : 'Greyed out: permissions that you do not hold yourself. You can only grant what you hold.'
          }
          onChange={handleChange}
          error={typeof problem === 'string' ? problem : undefined}
        />
      </FormCard>
    </>
  )
}

function inOrder(order: readonly string[], chosen: Chosen): string[] {
  return order.filter((name) => chosen.has(name))
}
