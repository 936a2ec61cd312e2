/**
 * Goal: a malformed value is read exactly or rejected with field, reason and excerpt. Method: tables of values, one
 * by one.
 */
import { describe, expect, test } from 'vitest'
import { Unreadable, readPage } from '../../../api/http/page.ts'
import type { List } from '../../../domain/run.ts'
import { outcomeOf, read, recordText, tableOf } from './records.ts'

const MONEY = tableOf(String.raw`
  amountTotal     | "12.30"                    | total_cents=1230
  amountTotal     | "0.00"                     | total_cents=0
  amountTotal     | "0.01"                     | total_cents=1
  amountTotal     | "007.00"                   | total_cents=700
  amountTotal     | "1000000.01"               | total_cents=100000001
  amountTotal     | "9999999999999.99"         | total_cents=999999999999999
  amountTotal     | "10000000000000.00"        | amountTotal: is too large [10000000000000.00]
  amountTotal     | (absent)                   | amountTotal: is missing []
  amountTotal     | null                       | amountTotal: is null [null]
  amountTotal     | 12.30                      | amountTotal: is not text [12.30]
  amountTotal     | 12                         | amountTotal: is not text [12]
  amountTotal     | 1e400                      | amountTotal: is not text [1e400]
  amountTotal     | true                       | amountTotal: is not text [true]
  amountTotal     | []                         | amountTotal: is not text [(an array)]
  amountTotal     | ["12.30"]                  | amountTotal: is not text [(an array)]
  amountTotal     | {}                         | amountTotal: is not text [(an object)]
  amountTotal     | {"text":"12.30"}           | amountTotal: is not text [(an object)]
  amountTotal     | ""                         | amountTotal: is not an amount with two decimals []
  amountTotal     | " "                        | amountTotal: is not an amount with two decimals [ ]
  amountTotal     | "12"                       | amountTotal: is not an amount with two decimals [12]
  amountTotal     | "12.3"                     | amountTotal: is not an amount with two decimals [12.3]
  amountTotal     | "12.300"                   | amountTotal: is not an amount with two decimals [12.300]
  amountTotal     | "12.345"                   | amountTotal: is not an amount with two decimals [12.345]
  amountTotal     | "1234.565"                 | amountTotal: is not an amount with two decimals [1234.565]
  amountTotal     | ".50"                      | amountTotal: is not an amount with two decimals [.50]
  amountTotal     | "12."                      | amountTotal: is not an amount with two decimals [12.]
  amountTotal     | "+12.30"                   | amountTotal: is not an amount with two decimals [+12.30]
  amountTotal     | "-12.30"                   | amountTotal: is negative [-12.30]
  amountTotal     | "-0.00"                    | amountTotal: is negative [-0.00]
  amountTotal     | "--12.30"                  | amountTotal: is not an amount with two decimals [--99.99]
  amountTotal     | " 12.30"                   | amountTotal: is not an amount with two decimals [ 12.30]
  amountTotal     | "12.30 "                   | amountTotal: is not an amount with two decimals [12.30 ]
  amountTotal     | "12.30\n"                  | amountTotal: is not an amount with two decimals [12.30\u{a}]
  amountTotal     | "12.30\u0000"              | amountTotal: is not an amount with two decimals [99.99\u{0}]
  amountTotal     | "1,000.00"                 | amountTotal: is not an amount with two decimals [1,000.00]
  amountTotal     | "1.000,00"                 | amountTotal: is not an amount with two decimals [1.000,00]
  amountTotal     | "1_000.00"                 | amountTotal: is not an amount with two decimals [1_000.00]
  amountTotal     | "1 000.00"                 | amountTotal: is not an amount with two decimals [9 999.99]
  amountTotal     | "12,30"                    | amountTotal: is not an amount with two decimals [12,30]
  amountTotal     | "1e3"                      | amountTotal: is not an amount with two decimals [1e3]
  amountTotal     | "1.23E+01"                 | amountTotal: is not an amount with two decimals [1.23E+01]
  amountTotal     | "0x10.00"                  | amountTotal: is not an amount with two decimals [9a99.99]
  amountTotal     | "NaN"                      | amountTotal: is not an amount with two decimals [AaA]
  amountTotal     | "Infinity"                 | amountTotal: is not an amount with two decimals [Aaaaaaaa]
  amountTotal     | "null"                     | amountTotal: is not an amount with two decimals [aaaa]
  amountTotal     | "$12.30"                   | amountTotal: is not an amount with two decimals [$12.30]
  amountTotal     | "12.30 USD"                | amountTotal: is not an amount with two decimals [99.99 AAA]
  amountTotal     | "(12.30)"                  | amountTotal: is not an amount with two decimals [(12.30)]
  amountTotal     | "١٢.٣٠"                    | amountTotal: is not an amount with two decimals [\u{661}\u{662}.\u{663}\u{660}]
  amountTotal     | "１２.３０"                | amountTotal: is not an amount with two decimals [\u{ff11}\u{ff12}.\u{ff13}\u{ff10}]
  amountTotal     | "12.30‮"                   | amountTotal: is not an amount with two decimals [99.99\u{202e}]
  amountTotal     | "12.30","amountTotal":"12.31" | amountTotal: is there twice with different values [(two different values)]
  amountTotal     | "12.30","amountTotal":"12.30" | total_cents=1230
  amountTotal     | "12.30","amountTotal":12.30   | amountTotal: is there twice with different values [(two different values)]
  amountTotal     | "1","amountTotal":"2","amountTotal":{"ambiguous":true} | amountTotal: is there twice with different values [(two different values)]
  amountTotal     | "<70000 x 1>.00"           | amountTotal: is too large [<61 x 1>...]
  amountTotal     | "4111111111111111"         | amountTotal: is not an amount with two decimals [****1111]
  amountTotal     | "Ada Lovelace"             | amountTotal: is not an amount with two decimals [Aaa Aaaaaaaa]
  amountTotal     | "ada@example.com"          | amountTotal: is not an amount with two decimals [aaa@aaaaaaa.aaa]
  amountTotal     | "+1 555 867 5309"          | amountTotal: is not an amount with two decimals [+9 999 999 9999]
  amountTotal     | "078-05-1120"              | amountTotal: is not an amount with two decimals [999-99-9999]
  amountBase      | (absent)                   | base_cents=null
  amountBase      | null                       | base_cents=null
  amountBase      | "3.00"                     | base_cents=300
  amountBase      | ""                         | base_cents=null
  amountBase      | 3                          | amountBase: is not text [3]
  amountTax       | "0.1"                      | amountTax: is not an amount with two decimals [0.1]
  amountTax       | false                      | amountTax: is not text [false]
  amountShipping  | "1e0"                      | amountShipping: is not an amount with two decimals [1e0]
  amountShipping  | "2.00"                     | shipping_cents=200
  amountTip       | "-1.00"                    | amountTip: is negative [-1.00]
  amountTip       | [null]                     | amountTip: is not text [(an array)]
  amountSurcharge | "0.999"                    | amountSurcharge: is not an amount with two decimals [0.999]
  amountSurcharge | "0.99"                     | surcharge_cents=99
`)

const NET = tableOf(String.raw`
  amountNet | 12.30                    | net_cents=1230
  amountNet | 1234.5                   | net_cents=123450
  amountNet | -75                      | net_cents=-7500
  amountNet | 0                        | net_cents=0
  amountNet | -0                       | net_cents=0
  amountNet | -0.0                     | net_cents=0
  amountNet | -0e5                     | net_cents=0
  amountNet | 1e3                      | net_cents=100000
  amountNet | 1E-2                     | net_cents=1
  amountNet | 1.5e+1                   | net_cents=1500
  amountNet | 12.3400000000            | net_cents=1234
  amountNet | 0.30000000000000004      | net_cents=30
  amountNet | 0.30000000000000004      | net_noise=true
  amountNet | 0.30                     | net_noise=false
  amountNet | 123.44999999999999       | net_cents=12345
  amountNet | -123.45000000000002      | net_cents=-12345
  amountNet | 12.000001                | net_cents=1200
  amountNet | 12.0000010000001         | amountNet: is not a number of whole cents [12.0000010000001]
  amountNet | 12.0099990               | net_cents=1201
  amountNet | 12.0099989               | amountNet: is not a number of whole cents [12.0099989]
  amountNet | 1e-9                     | net_cents=0
  amountNet | 12.345                   | amountNet: is not a number of whole cents [12.345]
  amountNet | 12.3450000001            | amountNet: is not a number of whole cents [12.3450000001]
  amountNet | 1234.565                 | amountNet: is not a number of whole cents [1234.565]
  amountNet | 0.005                    | amountNet: is not a number of whole cents [0.005]
  amountNet | 9999999999999.99         | net_cents=999999999999999
  amountNet | 9999999999999.999999     | amountNet: is not a number of whole cents [9999999999999.999999]
  amountNet | 10000000000000           | amountNet: is not a number of whole cents [10000000000000]
  amountNet | 9007199254740993         | amountNet: is not a number of whole cents [9007199254740993]
  amountNet | 1e21                     | amountNet: is not a number of whole cents [1e21]
  amountNet | 1e400                    | amountNet: is not a number of whole cents [1e400]
  amountNet | -1e400                   | amountNet: is not a number of whole cents [-1e400]
  amountNet | 1e-400                   | net_cents=0
  amountNet | 1e99999                  | amountNet: is not a number of whole cents [1e99999]
  amountNet | <500 x 1>                | amountNet: has too many digits [<61 x 1>...]
  amountNet | 0.<100000 x 3>           | amountNet: has too many digits [0.<59 x 3>...]
  amountNet | "12.30"                  | amountNet: is not a number [12.30]
  amountNet | "NaN"                    | amountNet: is not a number [AaA]
  amountNet | ""                       | amountNet: is not a number []
  amountNet | null                     | amountNet: is null [null]
  amountNet | (absent)                 | amountNet: is missing []
  amountNet | true                     | amountNet: is not a number [true]
  amountNet | [12.30]                  | amountNet: is not a number [(an array)]
  amountNet | {"value":12.30}          | amountNet: is not a number [(an object)]
  amountNet | 1,"amountNet":2          | amountNet: is there twice with different values [(two different values)]
  amountNet | 1.0,"amountNet":1.00     | amountNet: is there twice with different values [(two different values)]
  amountNet | {"text":"1"},"amountNet":1 | amountNet: is there twice with different values [(two different values)]
`)

const IDS = tableOf(String.raw`
  transactionId | 1                        | transaction_id=1
  transactionId | 9007199254740993         | transaction_id=9007199254740993
  transactionId | 9223372036854775807      | transaction_id=9223372036854775807
  transactionId | 9223372036854775808      | transactionId: is above 2^63 - 1 [9223372036854775808]
  transactionId | 18446744073709551616     | transactionId: is not a positive integer [18446744073709551616]
  transactionId | <300 x 9>                | transactionId: is not a positive integer [<61 x 9>...]
  transactionId | 0                        | transactionId: is not a positive integer [0]
  transactionId | -0                       | transactionId: is not a positive integer [-0]
  transactionId | -5                       | transactionId: is not a positive integer [-5]
  transactionId | 5.0                      | transactionId: is not a positive integer [5.0]
  transactionId | 5.5                      | transactionId: is not a positive integer [5.5]
  transactionId | 7e4                      | transactionId: is not a positive integer [7e4]
  transactionId | 1e400                    | transactionId: is not a positive integer [1e400]
  transactionId | "70001"                  | transactionId: is not a number [70001]
  transactionId | "007"                    | transactionId: is not a number [007]
  transactionId | "T-70001"                | transactionId: is not a number [A-99999]
  transactionId | ""                       | transactionId: is not a number []
  transactionId | null                     | transactionId: is null [null]
  transactionId | (absent)                 | transactionId: is missing []
  transactionId | true                     | transactionId: is not a number [true]
  transactionId | [70001]                  | transactionId: is not a number [(an array)]
  transactionId | {"id":70001}             | transactionId: is not a number [(an object)]
  transactionId | 1,"transactionId":2      | transactionId: is there twice with different values [(two different values)]
  terminalId    | 2147483648               | terminal_id=2147483648
  terminalId    | "41"                     | terminalId: is not a number [41]
  terminalId    | 41.0                     | terminalId: is not a positive integer [41.0]
  terminalId    | null                     | terminalId: is null [null]
  terminalId    | (absent)                 | terminalId: is missing []
  terminalId    | -41                      | terminalId: is not a positive integer [-41]
  settlementId  | 880                      | explicit_settlement_id=880
  settlementId  | "880"                    | explicit_settlement_id=null
  settlementId  | 8.8                      | explicit_settlement_id=null
  settlementId  | {}                       | explicit_settlement_id=null
`)

const TIMES = tableOf(String.raw`
  created      | "2026-03-01T10:00:00Z"            | created=2026-03-01 10:00:00.000000
  created      | "2026-03-01T10:00:00.1Z"          | created=2026-03-01 10:00:00.100000
  created      | "2026-03-01T10:00:00.123456789Z"  | created=2026-03-01 10:00:00.123456
  created      | "2026-03-01T10:00:00+05:30"       | created=2026-03-01 04:30:00.000000
  created      | "2026-03-01T00:30:00-00:00"       | created=2026-03-01 00:30:00.000000
  created      | "2026-02-28T23:30:00-01:00"       | created=2026-03-01 00:30:00.000000
  created      | "2024-02-29T00:00:00Z"            | created=2024-02-29 00:00:00.000000
  created      | "1970-01-01T00:00:00Z"            | created=1970-01-01 00:00:00.000000
  created      | "2199-12-31T23:59:59Z"            | created=2199-12-31 23:59:59.000000
  created      | "1970-01-01T00:00:00+00:01"       | created: is not an ISO 8601 instant with Z or an offset [1970-01-01T00:00:00+00:01]
  created      | "2199-12-31T23:59:59-00:01"       | created: is not an ISO 8601 instant with Z or an offset [2199-12-31T23:59:59-00:01]
  created      | "2026-03-01T10:00:00"             | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00]
  created      | "2026-03-01"                      | created: is not an ISO 8601 instant with Z or an offset [2026-03-01]
  created      | "2026-03-01T10:00Z"               | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00Z]
  created      | "2026-03-01 10:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-03-01 10:00:00Z]
  created      | "2026-03-01t10:00:00z"            | created: is not an ISO 8601 instant with Z or an offset [2026-03-01a10:00:00a]
  created      | "2026-03-01T10:00:00 Z"           | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00 Z]
  created      | "2026-03-01T10:00:00Z\n"          | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00Z\u{a}]
  created      | "2026-03-01T10:00:00.Z"           | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00.Z]
  created      | "2026-03-01T10:00:00.1234567890Z" | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00.1234567890Z]
  created      | "2026-03-01T10:00:00,5Z"          | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00,5Z]
  created      | "2026-03-01T10:00:00+0530"        | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00+0530]
  created      | "2026-03-01T10:00:00+24:00"       | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00+24:00]
  created      | "2026-03-01T10:00:00+05:60"       | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00+05:60]
  created      | "2026-03-01T10:00:00[UTC]"        | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00[ATA]]
  created      | "2026-02-29T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-02-29T00:00:00Z]
  created      | "2026-02-30T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-02-30T00:00:00Z]
  created      | "2100-02-29T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2100-02-29T00:00:00Z]
  created      | "2026-04-31T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-04-31T00:00:00Z]
  created      | "2026-13-01T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-13-01T00:00:00Z]
  created      | "2026-00-01T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-00-01T00:00:00Z]
  created      | "2026-03-00T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-03-00T00:00:00Z]
  created      | "2026-03-01T24:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T24:00:00Z]
  created      | "2026-03-01T23:60:00Z"            | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T23:60:00Z]
  created      | "2016-12-31T23:59:60Z"            | created: is not an ISO 8601 instant with Z or an offset [2016-12-31T23:59:60Z]
  created      | "0000-01-01T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [0000-01-01T00:00:00Z]
  created      | "0001-01-01T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [0001-01-01T00:00:00Z]
  created      | "1969-12-31T23:59:59Z"            | created: is not an ISO 8601 instant with Z or an offset [1969-12-31T23:59:59Z]
  created      | "9999-12-31T23:59:59Z"            | created: is not an ISO 8601 instant with Z or an offset [9999-12-31T23:59:59Z]
  created      | "10000-01-01T00:00:00Z"           | created: is not an ISO 8601 instant with Z or an offset [10000-01-01T00:00:00Z]
  created      | "+010000-01-01T00:00:00Z"         | created: is not an ISO 8601 instant with Z or an offset [+010000-01-01T00:00:00Z]
  created      | "-000001-01-01T00:00:00Z"         | created: is not an ISO 8601 instant with Z or an offset [-000001-01-01T00:00:00Z]
  created      | "2026-W09-7T00:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [9999-A99-9A99:99:99A]
  created      | "2026-060T00:00:00Z"              | created: is not an ISO 8601 instant with Z or an offset [9999-999A99:99:99A]
  created      | "01/03/2026 10:00"                | created: is not an ISO 8601 instant with Z or an offset [01/03/2026 10:00]
  created      | "Sun, 01 Mar 2026 10:00:00 GMT"   | created: is not an ISO 8601 instant with Z or an offset [Aaa, 99 Aaa 9999 99:99:99 AAA]
  created      | "٢٠٢٦-03-01T10:00:00Z"            | created: is not an ISO 8601 instant with Z or an offset [9999-99-99A99:99:99A]
  created      | "yesterday"                       | created: is not an ISO 8601 instant with Z or an offset [aaaaaaaaa]
  created      | "1555 867 5309"                   | created: is not an ISO 8601 instant with Z or an offset [9999 999 9999]
  created      | ""                                | created: is not an ISO 8601 instant with Z or an offset []
  created      | 1772359200                        | created: is not text [9999999999]
  created      | 1772359200000                     | created: is not text [9999999999999]
  created      | null                              | created: is null [null]
  created      | (absent)                          | created: is missing []
  created      | {"$date":"2026-03-01T10:00:00Z"}  | created: is not text [(an object)]
  created      | ["2026-03-01T10:00:00Z"]          | created: is not text [(an array)]
  lastModified | (absent)                          | last_modified=null
  lastModified | null                              | last_modified=null
  lastModified | "2026-03-01T10:00:01Z"            | last_modified=2026-03-01 10:00:01.000000
  lastModified | ""                                | last_modified=null
  lastModified | "2026-03-01T10:00:01"             | lastModified: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:01]
  lastModified | 0                                 | lastModified: is not text [9]
`)

const WORDS = tableOf(String.raw`
  status   | "REPORTED"             | status=REPORTED
  status   | "pass"                 | status=pass
  status   | "capture"              | status=capture
  status   | "ΕΝΤΑΞΕΙ"              | status=ΕΝΤΑΞΕΙ
  status   | "<64 x A>"             | status=<64 x A>
  status   | "<65 x A>"             | status: is longer than 64 characters [<61 x A>...]
  status   | "<70000 x A>"          | status: is longer than 64 KiB [<61 x A>...]
  status   | ""                     | status: is empty []
  status   | null                   | status: is null [null]
  status   | (absent)               | status: is missing []
  status   | true                   | status: is not text [true]
  status   | 1                      | status: is not text [9]
  status   | ["CAPTURE"]            | status: is not text [(an array)]
  status   | {"name":"CAPTURE"}     | status: is not text [(an object)]
  status   | "=1+1"                 | status: begins like a formula [=9+9]
  status   | "+CAPTURE"             | status: begins like a formula [+AAAAAAA]
  status   | "-CAPTURE"             | status: begins like a formula [-AAAAAAA]
  status   | "@SUM(A1)"             | status: begins like a formula [@AAA(A9)]
  status   | "\tCAPTURE"            | status: holds control characters [\u{9}AAAAAAA]
  status   | "\rCAPTURE"            | status: holds control characters [\u{d}AAAAAAA]
  status   | "CAP\nTURE"            | status: holds control characters [AAA\u{a}AAAA]
  status   | "CAPTURE\u0000"        | status: holds control characters [AAAAAAA\u{0}]
  status   | "CAPTURE\u007f"        | status: holds control characters [AAAAAAA\u{7f}]
  status   | "CAPTURE\u202e"        | status: holds control characters [AAAAAAA\u{202e}]
  status   | "\ufeffCAPTURE"        | status: holds control characters [\u{feff}AAAAAAA]
  status   | "CAP\ud800TURE"        | status: holds control characters [AAA\u{d800}AAAA]
  status   | "\udc00"               | status: holds control characters [\u{dc00}]
  status   | "HOLD","status":"VOID" | status: is there twice with different values [(two different values)]
  status   | "HOLD","status":null   | status: is there twice with different values [(two different values)]
  status   | "4111111111111111"     | status=****1111
  action   | "REVERSAL"             | action=REVERSAL
  action   | "charge"               | action=charge
  action   | ""                     | action: is empty []
  action   | (absent)               | action: is missing []
  action   | 0                      | action: is not text [9]
  action   | "=cmd"                 | action: begins like a formula [=aaa]
  action   | "-"                    | action: begins like a formula [-]
  action   | "<65 x a>"             | action: is longer than 64 characters [<61 x a>...]
  achType  | ""                     | ach_type=null
  achType  | "TEL"                  | ach_type=TEL
  achType  | null                   | ach_type=null
  achType  | 7                      | achType: is not text [9]
  achType  | "@PPD"                 | achType: begins like a formula [@AAA]
  method   | "TAP"                  | method=TAP
  method   | false                  | method: is not text [false]
  method   | "KEY\u0007ED"          | method: holds control characters [AAA\u{7}AA]
`)

const NESTED = tableOf(String.raw`
  response   | (absent)                             | approved=null
  response   | null                                 | approved=null
  response   | {}                                   | approved=null
  response   | {"approved":null}                    | approved=null
  response   | {"approved":false}                   | approved=false
  response   | {"approved":"true"}                  | response.approved: is not true or false [aaaa]
  response   | {"approved":"false"}                 | response.approved: is not true or false [aaaaa]
  response   | {"approved":1}                       | response.approved: is not true or false [9]
  response   | {"approved":[]}                      | approved=null
  response   | {"approved":true,"approved":false}   | response.approved: is there twice with different values [(two different values)]
  response   | {"approved":true,"code":0}           | response.code: is not text [9]
  response   | {"approved":true,"code":"00"}        | response_code=00
  response   | {"approved":true,"code":"=00"}       | response.code: begins like a formula [=99]
  response   | []                                   | approved=null
  response   | [[{"toString":1,"valueOf":1}]]       | response: is not an object [(an array)]
  response   | "approved"                           | response: is not an object [aaaaaaaa]
  response   | true                                 | response: is not an object [true]
  response   | 1                                    | response: is not an object [9]
  response   | {"approved":true},"response":{"approved":true} | response: is not an object [(two different values)]
  response   | {"__proto__":{"approved":true}}      | approved=null
  response   | {"constructor":{"approved":true}}    | approved=null
  settlement | {"settled":true}                     | settled=true
  settlement | {"settled":"yes"}                    | settlement.settled: is not true or false [aaa]
  settlement | {"settled":0}                        | settlement.settled: is not true or false [9]
  settlement | {"settled":null}                     | settled=null
  settlement | {"settlementId":9}                   | explicit_settlement_id=9
  settlement | {"settlementId":"nine"}              | explicit_settlement_id=null
  settlement | 880                                  | settlement: is not an object [999]
  settlement | {"settled":true},"settlement":{"settled":false},"settlement":{"ambiguous":true} | settlement: is not an object [(two different values)]
  surcharge  | {"percentage":3}                     | surcharge_percentage=3
  surcharge  | {"percentage":3.50}                  | surcharge_percentage=3.5
  surcharge  | {"percentage":35e-1}                 | surcharge_percentage=3.5
  surcharge  | {"percentage":0E-2}                  | surcharge_percentage=0
  surcharge  | {"percentage":0.03E+2}               | surcharge_percentage=3
  surcharge  | {"percentage":99999.9999}            | surcharge_percentage=99999.9999
  surcharge  | {"percentage":3.12345}               | surcharge.percentage: has more than four decimals [3.12345]
  surcharge  | {"percentage":3.4999999999999997}    | surcharge.percentage: has more than four decimals [3.4999999999999997]
  surcharge  | {"percentage":1e-5}                  | surcharge.percentage: has more than four decimals [1e-5]
  surcharge  | {"percentage":100000}                | surcharge.percentage: is not a number from 0 to 99999 [100000]
  surcharge  | {"percentage":1e99}                  | surcharge.percentage: is not a number from 0 to 99999 [1e99]
  surcharge  | {"percentage":1e400}                 | surcharge.percentage: is not a number from 0 to 99999 [1e400]
  surcharge  | {"percentage":-3}                    | surcharge.percentage: is not a number from 0 to 99999 [-3]
  surcharge  | {"percentage":-0}                    | surcharge.percentage: is not a number from 0 to 99999 [-0]
  surcharge  | {"percentage":"3.5"}                 | surcharge.percentage: is not a number [3.5]
  surcharge  | {"percentage":0.<500 x 1>}           | surcharge.percentage: has too many digits [0.<59 x 1>...]
  surcharge  | {"status":5}                         | surcharge.status: is not text [9]
  vault      | {"type":"CARD","lastFour":"1111"}    | last_four=1111
  vault      | {"lastFour":"**** **** 1111"}        | last_four=1111
  vault      | {"lastFour":""}                      | last_four=null
  vault      | {"lastFour":1111}                    | vault.lastFour: is not text [9999]
  vault      | {"lastFour":"4111111111111111"}      | vault.lastFour: is not the last four digits [9999999999999999]
  vault      | {"lastFour":"12345"}                 | vault.lastFour: is not the last four digits [99999]
  vault      | {"lastFour":"abcd"}                  | vault.lastFour: is not the last four digits [aaaa]
  vault      | {"type":{}}                          | vault_type=null
  vault      | {"accountType":["VISA"]}             | vault.accountType: is not text [(an array)]
  vault      | "CARD"                               | vault: is not an object [AAAA]
  billing    | "Ada Lovelace"                       | billing: is not an object []
  billing    | ["Ada"]                              | billing: is not an object []
  billing    | {"firstName":{"given":"Ada"}}        | billing.firstName: is not text []
  billing    | {"lastName":12}                      | billing.lastName: is not text []
  billing    | {"address":"1 Main St"}              | billing.address: is not an object []
  billing    | {"address":{"zip":12345}}            | billing.address.zip: is not text []
  billing    | {"firstName":"<70000 x a>"}          | billing.firstName: is longer than 64 KiB []
  billing    | {"firstName":"a","firstName":"b"}    | billing.firstName: is there twice with different values []
  billing    | {"address":{}}                       | billing_hash=null
  billing    | {"email":{"deep":[[[[1]]]]}}         | billing_hash=null
  invoiceNumber | "INV-1"                           | invoice_number=INV-1
  invoiceNumber | "=1+1"                            | invoice_number==1+1
  invoiceNumber | "card 4111 1111 1111 1111"        | invoice_number=card ****1111
  invoiceNumber | "a\u0000b\ud800c"                 | invoice_number=a�b�c
  invoiceNumber | ""                                | invoice_number=null
  invoiceNumber | 17                                | invoiceNumber: is not text [99]
  invoiceNumber | "<70000 x 1>"                     | invoiceNumber: is longer than 64 KiB [<61 x 9>...]
  purchaseOrderNumber | {"n":1}                     | purchaseOrderNumber: is not text [(an object)]
  __proto__  | {"amountTotal":"0.01"}               | total_cents=1230
  __proto__  | null                                 | total_cents=1230
  toString   | 1                                    | total_cents=1230
  hasOwnProperty | "x"                              | total_cents=1230
  note       | <40 x [>1<40 x ]>                    | total_cents=1230
`)

const SETTLEMENTS = tableOf(String.raw`
  settlementId | 880                    | settlement_id=880
  settlementId | "880"                  | settlementId: is not a number [880]
  settlementId | 9223372036854775808    | settlementId: is above 2^63 - 1 [9223372036854775808]
  settlementId | null                   | settlementId: is null [null]
  settlementId | (absent)               | settlementId: is missing []
  settlementId | 88e1                   | settlementId: is not a positive integer [88e1]
  terminalId   | [41]                   | terminalId: is not a number [(an array)]
  created      | "2026-03-01"           | created: is not an ISO 8601 instant with Z or an offset [2026-03-01]
  status       | "REVERSED"             | status=REVERSED
  status       | "=COMPLETE"            | status: begins like a formula [=AAAAAAAA]
  status       | "COMPLETE\r"           | status: holds control characters [AAAAAAAA\u{d}]
  status       | false                  | status: is not text [false]
  status       | ""                     | status: is empty []
  __proto__    | {"amountNet":1}        | net_cents=1230
  extra        | {"any":[1,{"b":null}]} | net_cents=1230
`)

const TERMINALS = tableOf(String.raw`
  terminalId     | "41"                     | terminalId: is not a number [41]
  terminalId     | (absent)                 | terminalId: is missing []
  terminalId     | 4.1                      | terminalId: is not a positive integer [4.1]
  nickName       | null                     | nick_name=null
  nickName       | 7                        | nickName: is not text [9]
  nickName       | "<300 x n>"              | nick_name=<255 x n>
  merchantNumber | "<63 x n>😀"             | merchant_number=<63 x n>
  nickName       | "<254 x n>😀"            | nick_name=<254 x n>
  type           | "CRYPTO"                 | type=CRYPTO
  type           | ""                       | type=null
  type           | "+CARD"                  | type: begins like a formula [+AAAA]
  type           | {}                       | type=null
  enabled        | "true"                   | enabled: is not true or false [aaaa]
  enabled        | 1                        | enabled: is not true or false [9]
  enabled        | null                     | enabled=null
  accountId      | 12                       | accountId: is not text [99]
  accountId      | "a\u0000b"               | account_uuid=a�b
  companyDba     | ["Shop"]                 | companyDba: is not text [(an array)]
  merchantNumber | 4111111111111111         | merchantNumber: is not text [9999999999999999]
  merchantNumber | "4111111111111111"       | merchant_number=4111111111111111
  surcharge      | {"enabled":"no"}         | surcharge.enabled: is not true or false [aa]
  surcharge      | {"taxable":0}            | surcharge.taxable: is not true or false [9]
  surcharge      | {"percentage":"3%"}      | surcharge.percentage: is not a number [9%]
  surcharge      | {"percentage":3.00000}   | surcharge_percentage=3
  surcharge      | {"disclosure":7}         | surcharge_percentage=null
  surcharge      | 3                        | surcharge: is not an object [9]
  acceptance     | "PPD"                    | acceptance=PPD
  acceptance     | ["WEB","CCD","WEB"]      | acceptance=CCD,WEB
  acceptance     | []                       | acceptance=null
  acceptance     | [null]                   | acceptance: is not text [(an array)]
  acceptance     | ["PPD",""]               | acceptance: is empty [(an array)]
  acceptance     | ["=PPD"]                 | acceptance: begins like a formula [(an array)]
  acceptance     | {"PPD":true}             | acceptance: is not text [(an object)]
  acceptance     | [<64 x "A",>"A"]         | acceptance: has more than 64 words [(an array)]
`)

const TABLES: [string, List, ReturnType<typeof tableOf>][] = [
  ['an amount of a transaction', 'transactions', MONEY],
  ['the net of a settlement', 'settlements', NET],
  ['an id of a transaction', 'transactions', IDS],
  ['an instant', 'transactions', TIMES],
  ['a word of a list that may grow', 'transactions', WORDS],
  ['a nested or free field', 'transactions', NESTED],
  ['a field of a settlement', 'settlements', SETTLEMENTS],
  ['a field of a terminal', 'terminals', TERMINALS],
]

describe.each(TABLES)('%s', (_, list, lines) => {
  test.each(lines)('$field: $sent', ({ field, sent, expected }) => {
    expect(outcomeOf(read(list, recordText(list, field, sent)), expected)).toBe(expected)
  })
})

test('the tables have at least two hundred rejected values', () => {
  const rejected = TABLES.flatMap(([, , lines]) => lines).filter(({ expected }) =>
    /^[A-Za-z.]+: /.test(expected),
  )
  expect(rejected.length).toBeGreaterThanOrEqual(200)
})

test.each([
  'null',
  '1',
  'true',
  '"text"',
  '[]',
  '[{"transactionId":1}]',
  '[{"toString":null,"valueOf":null}]',
  '[[[[]]]]',
])('the record %s is rejected as a whole, by the hash of its text', (text) => {
  const record = read('transactions', text)
  expect(record).toMatchObject({
    reject: {
      subject_type: 'transaction',
      terminal_id: null,
      created: null,
      field: '',
      reason: 'is not an object',
      excerpt: '',
    },
  })
  if ('row' in record) throw new Error('a row')
  expect(record.reject.subject_id).toBe(`sha256:${record.reject.record_sha256}`)
  expect(record.reject.record_sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('a rejected record keeps its readable id, terminal and time', () => {
  expect(read('transactions', recordText('transactions', 'amountTotal', '"1.5"'))).toMatchObject({
    reject: { subject_id: '70001', terminal_id: '41', created: '2026-03-01 10:00:00.000000' },
  })
  expect(read('transactions', recordText('transactions', 'transactionId', '"9"'))).toMatchObject({
    reject: { subject_id: expect.stringMatching(/^sha256:/), terminal_id: '41' },
  })
  const large = '9223372036854775808'
  expect(read('transactions', recordText('transactions', 'transactionId', large))).toMatchObject({
    reject: { subject_id: large, field: 'transactionId' },
  })
  expect(read('settlements', recordText('settlements', 'terminalId', '-1'))).toMatchObject({
    reject: { subject_type: 'settlement', subject_id: '880', terminal_id: null },
  })
})

test('a record is rejected under the same hash whatever the order of its fields', () => {
  const hashOf = (text: string) => {
    const record = read('settlements', text)
    return 'reject' in record ? record.reject.record_sha256 : undefined
  }
  const one = hashOf('{"settlementId":1,"terminalId":2,"amountNet":"3"}')
  expect(hashOf('{"amountNet":"3","terminalId":2,"settlementId":1}')).toBe(one)
  expect(hashOf('{"amountNet":"4","terminalId":2,"settlementId":1}')).not.toBe(one)
})

const PEOPLE = ['Lovelace', 'lovelace@example.com', '555-867-5309', 'Analytical Engines']

test.each(
  ['transactions', 'settlements', 'terminals'].flatMap((list) =>
    PEOPLE.map((person) => ({ list: list as List, person })),
  ),
)('nothing of $person is ever shown in $list, in whatever field it is', ({ list, person }) => {
  const names = [
    ...['transactionId', 'settlementId', 'terminalId', 'created', 'lastModified', 'status'],
    ...['action', 'amountTotal', 'amountNet', 'amountBase', 'response', 'settlement', 'vault'],
    ...['surcharge', 'billing', 'shipping', 'enabled', 'acceptance', 'invoiceNumber'],
  ]
  for (const name of names) {
    for (const text of [`"${person}"`, `["${person}"]`, `{"${person}":"${person}"}`]) {
      const record = read(list, recordText(list, name, text))
      if ('row' in record) continue
      expect(JSON.stringify(record.reject)).not.toContain(person)
    }
  }
})

test.each([
  '01',
  '-01',
  '+1',
  '.5',
  '1.',
  '-',
  '1e',
  '0x10',
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  'True',
  "'1'",
  '1,',
  '1 2',
  '"\u0001"',
  '"\\x41"',
  '"\\u12"',
  '"unfinished',
  '"tab\there"',
  '{"a" 1}',
  '{"a":1,}',
  '{a:1}',
  '[1,]',
  '[,]',
  '1 // note',
  '/* note */ 1',
  '{"a":1}}',
  '\u00a01',
  '['.repeat(100_000),
  `${'['.repeat(1001)}${']'.repeat(1001)}`,
  `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
])('a page in which a value is %s is no page at all', (value) => {
  const body = Buffer.from(`{"results":[${recordText('settlements', 'amountNet', value)}]}`)
  const reply = { status: 200, headers: { 'content-type': 'application/json' }, body }
  const page = () => readPage(reply, new URL('http://localhost/settlements?offset=0&limit=50'))
  expect(page).toThrow(Unreadable)
  expect(page).toThrow('is not complete JSON')
})

test('every card number of a very long text is masked', () => {
  const text = '4111 1111 1111 1111 '.repeat(3000)
  const record = read('transactions', recordText('transactions', 'invoiceNumber', `"${text}"`))
  expect(record).toMatchObject({ row: { invoice_number: '****1111 '.repeat(8).slice(0, 64) } })
})
