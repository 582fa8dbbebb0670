import { PassThrough, type Readable } from 'node:stream'

/**
 * The body of a request, for a reader that may leave it before its end. What still arrives then is read and
 * dropped. A reader of the request itself would take the socket away from it: Node destroys a stream that is
 * left in the middle of a loop, and nothing would read the rest of the body, which the client may have to
 * send before it looks at its answer.
 */
export function uploadBody(request: Readable): Readable {
  const body = new PassThrough()
  // A reader that has left does not ask what came of it.
  body.on('error', () => {})
  body.once('close', () => {
    request.unpipe(body)
    request.resume()
  })
  request.on('error', (error) => body.destroy(error))
  return request.pipe(body)
}
