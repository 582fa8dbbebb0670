import {
  Alert,
  Button,
  Center,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useState, type SubmitEvent } from 'react'
import { Navigate } from 'react-router'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages } from '../../lib/field-errors.ts'
import { paths } from '../../entities/paths.ts'
import { useLogin, useSession } from '../../lib/session.tsx'
import { LoadingScreen } from '../../ui/loading.tsx'
import classes from './login-page.module.css'

/** Login, shown only to users who are not signed in (spec: screens). */
export function LoginPage() {
  useDocumentTitle('Login · Gatehouse')
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-in') return <Navigate to={paths.home} replace />
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400} className={classes['card'] ?? ''}>
        <Stack gap={4} mb="lg" align="center">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <Title order={1} size="h2" mt="xs">
            Gatehouse
          </Title>
          <Text size="sm" c="dimmed">
            Sign in to the dashboard
          </Text>
        </Stack>
        <LoginForm />
      </Paper>
    </Center>
  )
}

function LoginForm() {
  const login = useLogin()
  const [failure, setFailure] = useState<unknown>()
  const [isWaiting, setIsWaiting] = useState(false)
  const fields = failure instanceof CallError ? firstMessages(failure.errors) : {}

  async function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const textOf = (name: string) => {
      const value = typed.get(name)
      return typeof value === 'string' ? value : ''
    }
    setIsWaiting(true)
    try {
      await login({ email: textOf('email'), password: textOf('password') })
    } catch (error) {
      setFailure(error)
    } finally {
      setIsWaiting(false)
    }
  }

  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="md">
        {failure !== undefined && Object.keys(fields).length === 0 && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        <TextInput
          label="E-Mail Address"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          error={fields['email']}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          error={fields['password']}
        />
        <Button type="submit" fullWidth mt="xs" loading={isWaiting}>
          Login
        </Button>
      </Stack>
    </form>
  )
}
