import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { createTestDatabase, createTestProcedures, failed } from '../../testing/mariadb.ts'

const database = await createTestDatabase([
  'CREATE TABLE entry (id INT PRIMARY KEY, n INT NOT NULL) ENGINE = InnoDB',
  'INSERT INTO entry VALUES (1, 0), (2, 0)',
  `CREATE PROCEDURE refuses(IN words VARCHAR(128)) MODIFIES SQL DATA BEGIN
    SELECT 1 AS before_it; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = words; END`,
  `CREATE PROCEDURE refuses_own_state() NO SQL
    SIGNAL SQLSTATE '45123' SET MESSAGE_TEXT = 'own', MYSQL_ERRNO = 1213`,
  `CREATE PROCEDURE warns() NO SQL BEGIN
    SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'only a warning'; SELECT 1 AS after_it; END`,
  'CREATE PROCEDURE duplicates() MODIFIES SQL DATA INSERT INTO entry VALUES (1, 1)',
  'CREATE PROCEDURE divides() NO SQL SELECT * FROM no_such_table_of_ours',
  `CREATE PROCEDURE locks(IN first_id INT, IN second_id INT) MODIFIES SQL DATA BEGIN
    DECLARE mine VARCHAR(64) DEFAULT CONCAT(DATABASE(), first_id);
    START TRANSACTION;
    UPDATE entry SET n = n + 1 WHERE id = first_id;
    DO GET_LOCK(mine, 0);
    WHILE IS_FREE_LOCK(CONCAT(DATABASE(), second_id)) DO DO SLEEP(0.001); END WHILE;
    UPDATE entry SET n = n + 1 WHERE id = second_id;
    COMMIT; END`,
  `CREATE PROCEDURE wants_row() MODIFIES SQL DATA BEGIN
    SET SESSION innodb_lock_wait_timeout = 0; UPDATE entry SET n = n + 1 WHERE id = 1; END`,
  'CREATE PROCEDURE as_caller() READS SQL DATA SQL SECURITY INVOKER SELECT n FROM entry',
  'CREATE PROCEDURE nothing() NO SQL BEGIN END',
  'CREATE PROCEDURE calls_missing() NO SQL CALL no_such_procedure()',
])

test('SIGNAL 45000 is a 422 with its own message, unquoted and whole', async () => {
  const { call, bodyOf } = createTestProcedures(database.connection)
  const words = "Invoice 7 is 'closed' – <b>sorry</b> ü"
  const answer = failed(await call('refuses', { words }))
  expect(answer).toMatchObject({ code: 'procedure.rejected', status: 422, message: words })
  expect(answer).toMatchObject({ isSent: true })
  expect(failed(await call('refuses_own_state')).code).toBe('procedure.rejected')
  expect(await bodyOf('warns')).toContain('"after_it":1')
})

test('other texts of the database go to the log, not to the caller', async () => {
  const { call } = createTestProcedures(database.connection)
  for (const [name, inside] of [
    ['duplicates', 'PRIMARY'],
    ['divides', 'no_such_table_of_ours'],
    ['calls_missing', 'no_such_procedure'],
  ] as const) {
    const answer = failed(await call(name))
    expect(answer).toMatchObject({ code: 'procedure.failed', status: 502, isSent: true })
    expect(answer.message).toBe('The stored procedure failed.')
    expect(answer.detail).toContain(inside)
  }
})

test('a deadlock is a 503 with Retry-After for one of the two, and the other succeeds', async () => {
  const { call } = createTestProcedures(database.connection)
  const answers = await Promise.all([
    call('locks', { first_id: 1, second_id: 2 }),
    call('locks', { first_id: 2, second_id: 1 }),
  ])
  const lost = answers.filter((answer) => !answer.ok)
  expect(lost).toHaveLength(1)
  expect(lost[0]).toMatchObject({
    code: 'procedure.busy',
    status: 503,
    isSent: true,
    retryAfterSeconds: 1,
  })
})

test('a row that another session holds is a 503 with Retry-After', async () => {
  const { call } = createTestProcedures(database.connection)
  await database.admin('START TRANSACTION')
  await database.admin('SELECT n FROM entry WHERE id = 1 FOR UPDATE')
  const answer = failed(await call('wants_row'))
  await database.admin('ROLLBACK')
  expect(answer).toMatchObject({ code: 'procedure.busy', status: 503, retryAfterSeconds: 1 })
})

test('too many connections of the user are a 503 with Retry-After, and nothing was called', async () => {
  const { name, connection } = database
  await database.admin(`ALTER USER ${name}@'%' WITH MAX_USER_CONNECTIONS 1`)
  const wire = await mysql.createConnection({
    host: connection.host,
    port: connection.port,
    user: name,
    password: connection.password,
  })
  const { call } = createTestProcedures(connection)
  const answer = failed(await call('nothing'))
  await wire.end()
  await database.admin(`ALTER USER ${name}@'%' WITH MAX_USER_CONNECTIONS 0`)
  expect(answer).toMatchObject({
    code: 'procedure.busy',
    status: 503,
    isSent: false,
    retryAfterSeconds: 5,
  })
})

test('a procedure without EXECUTE is not seen; one that loses it is a 403', async () => {
  const { name, admin, connection } = database
  const account = `${name}_one@'%'`
  await admin(`CREATE USER ${account} IDENTIFIED BY 'x'`)
  await admin(`GRANT EXECUTE ON PROCEDURE ${name}.nothing TO ${account}`)
  const { call, upstream } = createTestProcedures({
    ...connection,
    username: `${name}_one`,
    password: 'x',
  })
  const allowed = await call('nothing')
  const unseen = await call('refuses', { words: '' })
  await admin(`GRANT EXECUTE ON PROCEDURE ${name}.warns TO ${account}`)
  await admin(`REVOKE EXECUTE ON PROCEDURE ${name}.nothing FROM ${account}`)
  const taken = failed(await call('nothing'))
  await upstream.close()
  await admin(`DROP USER ${account}`)
  expect(allowed.ok).toBe(true)
  expect(unseen).toMatchObject({ code: 'procedure.not_found', isSent: false })
  expect(taken).toMatchObject({ code: 'procedure.forbidden', status: 403, isSent: false })
  expect(taken.message).not.toContain(name)
})

test('a procedure that runs with its caller’s rights and lacks one is a 403', async () => {
  const { call } = createTestProcedures(database.connection)
  expect(failed(await call('as_caller'))).toMatchObject({
    code: 'procedure.forbidden',
    status: 403,
    isSent: true,
  })
})

test('EXECUTE on one procedure alone shows its parameters and lets it be called', async () => {
  const { name, admin, connection } = database
  await admin(`CREATE USER ${name}_one@'%' IDENTIFIED BY 'x'`)
  await admin(`GRANT EXECUTE ON PROCEDURE ${name}.refuses TO ${name}_one@'%'`)
  const only = { ...connection, username: `${name}_one`, password: 'x' }
  const { call, upstream } = createTestProcedures(only)
  const list = await upstream.testConnection(only)
  const answer = failed(await call('refuses', { words: 'seen' }))
  await upstream.close()
  await admin(`DROP USER ${name}_one@'%'`)
  expect(list).toMatchObject({
    ok: true,
    procedures: [{ name: 'refuses', parameters: [{ name: 'words', direction: 'in' }] }],
  })
  expect(answer.message).toBe('seen')
})

test('a wrong password or database is a 502 that keeps names to the log', async () => {
  for (const change of [{ password: 'wrong' }, { database: 'no_such_database' }]) {
    const { call, upstream } = createTestProcedures({ ...database.connection, ...change })
    const answer = failed(await call('nothing'))
    expect(answer).toMatchObject({ code: 'procedure.sign_in', status: 502, isSent: false })
    expect(answer.message).toBe('The database refused the sign-in.')
    expect(await upstream.testConnection({ ...database.connection, ...change })).toMatchObject({
      ok: false,
      code: 'procedure.sign_in',
    })
  }
})
