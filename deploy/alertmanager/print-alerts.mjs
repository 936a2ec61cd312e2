/** Prints each alert that Alertmanager posts, a line each. It is for trying alerts out, and reaches nobody. */
import { createServer } from 'node:http'

createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => (body += piece))
  request.on('end', () => {
    try {
      for (const { status, labels, annotations } of JSON.parse(body).alerts) {
        process.stdout.write(`${JSON.stringify({ status, ...labels, ...annotations })}\n`)
      }
      response.statusCode = 200
    } catch {
      response.statusCode = 400
    }
    response.end()
  })
}).listen(Number(process.env.PORT ?? 8095))
