import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { FormCard } from '../../ui/form-card.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import type { ApiFormState } from './api-form-values.ts'

const drivers = [
  { value: 'sqlsrv', label: 'Sql Server' },
  { value: 'mysql', label: 'MySql' },
]

interface StoreProcedureCardProps {
  form: ApiFormState
  isPasswordStored: boolean
}

/** Where the stored procedure lives, and its name (spec §2). */
export function StoreProcedureCard({ form, isPasswordStored }: StoreProcedureCardProps) {
  return (
    <FormCard title="Store Procedure">
      <Select
        label="Driver"
        data={drivers}
        allowDeselect={false}
        {...form.getInputProps('driver')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Host" {...form.getInputProps('host')} />
        <TextInput label="Port" inputMode="numeric" {...form.getInputProps('port')} />
        <TextInput label="Database" {...form.getInputProps('database')} />
        <TextInput label="Username" autoComplete="off" {...form.getInputProps('username')} />
      </SimpleGrid>
      <SecretField
        label="Password"
        storedText="A password is stored"
        isStored={isPasswordStored}
        value={form.values.password}
        onChange={(password) => form.setFieldValue('password', password)}
        error={form.errors['password']}
      />
      <TextInput label="Stored Procedure method" {...form.getInputProps('func_name')} />
    </FormCard>
  )
}
