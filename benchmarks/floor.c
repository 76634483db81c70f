/* The floor: training on XOR with the arithmetic written out by hand, 16 networks to a vector.
 *
 * One output, five hidden and two input units, three iterations, four examples, Adam, and top-k by
 * counting ranks: what the compiled program of the package does, with nothing around it.
 * Weights lie as [parameter][16 networks]; build with
 *     gcc -O3 -march=native -ffast-math -mprefer-vector-width=512 -shared -fPIC
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float V __attribute__((vector_size(64)));
typedef int32_t I __attribute__((vector_size(64)));

enum { UNITS = 6, SOURCES = 8, TIMES = 3, BATCH = 4, WEIGHTS = UNITS * SOURCES };

static const float X[BATCH][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
static const float Y[BATCH] = {0, 1, 1, 0};

static inline V blend(I mask, V yes, V no) { return (V)(((I)yes & mask) | ((I)no & ~mask)); }

/* e^x by the polynomial of Cephes. */
static inline V exponential(V x) {
    V low = -87.3f + (V){}, high = 88.3f + (V){};
    x = blend(x < low, low, x);
    x = blend(x > high, high, x);
    V scaled = x * 1.44269504088896341f + 0.5f;
    I n = __builtin_convertvector(scaled, I);
    n += __builtin_convertvector(n, V) > scaled;
    V whole = __builtin_convertvector(n, V);
    x = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    V y = 1.9875691500e-4f + (V){};
    y = y * x + 1.3981999507e-3f;
    y = y * x + 8.3334519073e-3f;
    y = y * x + 4.1665795894e-2f;
    y = y * x + 1.6666665459e-1f;
    y = y * x + 5.0000001201e-1f;
    y = y * x * x + x + 1.0f;
    return y * (V)((n + 127) << 23);
}

static inline V square_root(V x) {
    V root;
    for (int lane = 0; lane < 16; lane++) root[lane] = __builtin_sqrtf(x[lane]);
    return root;
}

void train(float *weights, float *values, const int32_t *kept, int steps, float *losses) {
    V W[WEIGHTS], v[UNITS], m[WEIGHTS + UNITS], u[WEIGHTS + UNITS];
    memcpy(W, weights, sizeof W);
    memcpy(v, values, sizeof v);
    memset(m, 0, sizeof m);
    memset(u, 0, sizeof u);
    double power1 = 1, power2 = 1;
    for (int step = 0; step < steps; step++) {
        V s[TIMES + 1][BATCH][UNITS], by_W[WEIGHTS], by_v[UNITS], loss = (V){};
        memset(by_W, 0, sizeof by_W);
        memset(by_v, 0, sizeof by_v);
        for (int b = 0; b < BATCH; b++) {
            V drive[UNITS], ds[UNITS];
            for (int r = 0; r < UNITS; r++) {
                s[0][b][r] = v[r];
                drive[r] = W[r * SOURCES + UNITS] * X[b][0] + W[r * SOURCES + UNITS + 1] * X[b][1];
            }
            for (int t = 0; t < TIMES; t++)
                for (int r = 0; r < UNITS; r++) {
                    V z = drive[r];
                    for (int c = 0; c < UNITS; c++) z += W[r * SOURCES + c] * s[t][b][c];
                    s[t + 1][b][r] = 1.0f / (1.0f + exponential(-z));
                }
            V error = s[TIMES][b][0] - Y[b];
            loss += error * error * (1.0f / BATCH);
            memset(ds, 0, sizeof ds);
            ds[0] = error * (2.0f / BATCH);
            for (int t = TIMES - 1; t >= 0; t--) {
                V before[UNITS];
                memset(before, 0, sizeof before);
                for (int r = 0; r < UNITS; r++) {
                    V now = s[t + 1][b][r], dz = ds[r] * now * (1.0f - now);
                    for (int c = 0; c < UNITS; c++) {
                        by_W[r * SOURCES + c] += dz * s[t][b][c];
                        before[c] += dz * W[r * SOURCES + c];
                    }
                    by_W[r * SOURCES + UNITS] += dz * X[b][0];
                    by_W[r * SOURCES + UNITS + 1] += dz * X[b][1];
                }
                memcpy(ds, before, sizeof ds);
            }
            for (int r = 0; r < UNITS; r++) by_v[r] += ds[r];
        }
        memcpy(losses + 16 * step, &loss, sizeof loss);
        power1 *= 0.9;
        power2 *= 0.999;
        float unbias1 = 1 / (1 - power1), unbias2 = 1 / (1 - power2);
        for (int p = 0; p < WEIGHTS + UNITS; p++) {
            V g = p < WEIGHTS ? by_W[p] : by_v[p - WEIGHTS];
            m[p] = 0.9f * m[p] + 0.1f * g;
            u[p] = 0.999f * u[p] + 0.001f * g * g;
            V move = 0.01f * (m[p] * unbias1) / (square_root(u[p] * unbias2) + 1e-8f);
            if (p < WEIGHTS) W[p] -= move;
            else v[p - WEIGHTS] -= move;
        }
        I bits[WEIGHTS], rank[WEIGHTS];
        for (int p = 0; p < WEIGHTS; p++) {
            bits[p] = (I)W[p] & 0x7fffffff;
            rank[p] = (I){};
        }
        for (int p = 0; p < WEIGHTS; p++)
            for (int q = p + 1; q < WEIGHTS; q++) {
                I first = bits[p] >= bits[q];
                rank[q] -= first;
                rank[p] += first + 1;
            }
        for (int p = 0; p < WEIGHTS; p++) W[p] = (V)((I)W[p] & (rank[p] < kept[step]));
    }
    memcpy(weights, W, sizeof W);
    memcpy(values, v, sizeof v);
}
