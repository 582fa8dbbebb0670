import { Alert, Button, Group, Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CallError, messageOf } from '../../../lib/calls/call-error.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { useTestConnection } from './procedure-calls.ts'
import { ProcedureList, type ListedProcedure } from './procedure-list.tsx'
import { ProcedureSample } from './procedure-sample.tsx'
import { neededField } from '../../../ui/form/field-looks.ts'

export const drivers = [
  { value: 'sqlsrv', label: 'Sql Server' },
  { value: 'mysql', label: 'MySql' },
]

export const tlsChoices = [
  { value: '', label: 'Default: on for Sql Server, off for MySql' },
  { value: 'verified', label: 'On, certificate verified' },
  { value: 'encrypted', label: 'On, certificate not verified' },
  { value: 'off', label: 'Off' },
]

interface StoreProcedureSectionProps {
  form: ApiFormState
  apiId: number | undefined
  isPasswordStored: boolean
}

/** Where the stored procedure lives, and its name (spec: screens); beneath, what a connection finds. */
export function StoreProcedureSection({
  form,
  apiId,
  isPasswordStored,
}: StoreProcedureSectionProps) {
  const can = useCan()
  const [chosen, setChosen] = useState<ListedProcedure>()
  const isTried = can(apiId === undefined ? 'api.create' : 'api.edit')
  const method = form.values.func_name.trim()
  const { db_tls, driver } = form.values
  const isVerified = db_tls === 'verified' || (db_tls === '' && driver === 'sqlsrv')
  return (
    <FormSection title="Store Procedure">
      <Select
        label="Driver"
        {...neededField}
        data={drivers}
        allowDeselect={false}
        {...form.getInputProps('driver')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Host" {...neededField} {...form.getInputProps('host')} />
        <TextInput
          label="Port"
          {...neededField}
          inputMode="numeric"
          {...form.getInputProps('port')}
        />
        <TextInput label="Database" {...neededField} {...form.getInputProps('database')} />
        <TextInput
          label="Username"
          {...neededField}
          autoComplete="off"
          {...form.getInputProps('username')}
        />
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
      <Select
        label="TLS to the database"
        data={tlsChoices}
        allowDeselect={false}
        {...form.getInputProps('db_tls')}
      />
      {isVerified && (
        <Textarea
          label="Certificate of the authority"
          description="PEM; only where the database’s certificate comes from an authority of your own."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
          spellCheck={false}
          {...form.getInputProps('db_ca')}
        />
      )}
      {isTried && (
        <>
          <ConnectionTest
            form={form}
            apiId={apiId}
            onChoose={(procedure) => {
              setChosen(procedure)
              form.setFieldValue('func_name', procedure.method)
            }}
          />
          <ProcedureSample
            key={method}
            form={form}
            apiId={apiId}
            procedure={chosen?.method === method ? chosen : undefined}
          />
        </>
      )}
    </FormSection>
  )
}

interface ConnectionTestProps {
  form: ApiFormState
  apiId: number | undefined
  onChoose: (procedure: ListedProcedure) => void
}

function ConnectionTest({ form, apiId, onChoose }: ConnectionTestProps) {
  const test = useTestConnection(form, apiId)
  // Messages that belong to a field are shown under it.
  const isForFields = test.error instanceof CallError && test.error.status === 422
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Test connection
        </Button>
        {test.isSuccess && (
          <Text component="output" size="sm">
            Connected in {Math.round(test.data.duration_ms)} ms,{' '}
            {test.data.tls === 'off' ? 'without TLS' : `TLS ${test.data.tls}`}.
          </Text>
        )}
      </Group>
      {test.isError && (
        <Alert color="red" title="No connection" role="alert">
          {isForFields ? 'Look at the fields above.' : messageOf(test.error)}
        </Alert>
      )}
      {test.isSuccess && (
        <ProcedureList tested={test.data} chosen={form.values.func_name} onChoose={onChoose} />
      )}
    </>
  )
}
