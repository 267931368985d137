// SPDX-License-Identifier: Apache-2.0

// Package parquetcheck looks at parts of Parquet files before a decoder that
// allocates what they claim to hold.
package parquetcheck
